import { expect } from 'chai'
import { databasePathOf, parseDatabaseUrl } from '../src/database-url.ts'

describe('database URL', () => {
  const names = (text: string) => parseDatabaseUrl(text).hosts.map(({ name }) => name)
  const urls = (text: string) => parseDatabaseUrl(text).hosts.map(({ url }) => url)

  it('with one server stays unchanged', () => {
    for (const text of [
      'postgresql://ada:p%40ss@db.example:6432/wiki?sslmode=verify-full',
      'postgres:///wiki?host=/run/postgresql',
      'postgresql://%2Frun%2Fpostgresql/wiki',
      'postgresql://ada@[2001:db8::1]:5433/wiki',
      'postgresql:///wiki',
    ])
      expect(parseDatabaseUrl(text), text)
        .to.deep.include({ target: undefined })
        .and.have.property('hosts')
        .lengthOf(1)
    expect(urls('postgresql://ada:p%40ss@db.example:6432/wiki')).to.deep.equal([
      'postgresql://ada:p%40ss@db.example:6432/wiki',
    ])
  })

  it('may name several servers with commas, each with its port, all with the same user, database and parameters', () => {
    const text = 'postgresql://ada:a,b@one.example:5433,[::1]:5434,two.example/wiki?sslmode=disable'
    expect(urls(text)).to.deep.equal([
      'postgresql://ada:a,b@one.example:5433/wiki?sslmode=disable',
      'postgresql://ada:a,b@[::1]:5434/wiki?sslmode=disable',
      'postgresql://ada:a,b@two.example/wiki?sslmode=disable',
    ])
    expect(names(text)).to.deep.equal(['one.example:5433', '[::1]:5434', 'two.example:5432'])
  })

  it('may name several servers in its parameters, with a port each or one for all', () => {
    expect(names('postgresql:///wiki?host=one,/run/two&port=1,2')).to.deep.equal(['one:1', '/run/two:2'])
    expect(names('postgresql:///wiki?host=one,two&port=7')).to.deep.equal(['one:7', 'two:7'])
    expect(names('postgresql:///wiki?host=one,two')).to.deep.equal(['one:5432', 'two:5432'])
    expect(new URL(urls('postgresql:///wiki?host=one,two&port=1,2')[1]!).searchParams.get('host')).to.equal(
      'two',
    )
  })

  it('tells the name of the database, if the URL has one', () => {
    const urls = [
      'postgresql://one,two/tea%20wiki',
      'postgresql://one',
      'postgresql://one/',
      'postgresql:///w?host=/run',
    ]
    expect(urls.map(databasePathOf)).to.deep.equal(['/tea wiki', '', '', '/w'])
  })

  it('accepts the values of target_session_attrs that libpq knows', () => {
    const target = (value: string) =>
      parseDatabaseUrl(`postgresql://one,two/wiki?target_session_attrs=${value}`).target
    expect(
      ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'].map(target),
    ).to.deep.equal(['any', 'primary', 'primary', 'standby', 'standby', 'prefer-standby'])
    expect(() => target('master')).to.throw('any, read-write, primary, read-only, standby, prefer-standby')
  })

  const refusal = (text: string): string => {
    try {
      parseDatabaseUrl(text)
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }

  it('has parameters that exist, and a known sslmode', () => {
    expect(refusal('postgresql://ada@one/wiki?sslmod=verify-full')).to.equal(
      'must be a URL without the parameter sslmod (did you mean sslmode?)',
    )
    expect(refusal('postgresql://ada@one/wiki?sslmode=bogus')).to.equal(
      'must be a URL whose sslmode is one of disable, prefer, require, verify-ca, verify-full, no-verify',
    )
    expect(refusal('postgresql://ada@one/wiki?sslmode=no-verify&channel_binding=prefer')).to.equal('none')
    expect(
      refusal('postgresql://ada@one/wiki?keepalives_idle=60&sslcrl=x&pgbouncer=true&constructor=x'),
    ).to.equal('none')
  })

  it('verifies the certificate with every sslmode that demands TLS, unless libpq is to be followed', () => {
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
      expect(urls(`postgresql://one/wiki?sslmode=${mode}&user=ada`)).to.deep.equal([
        'postgresql://one/wiki?sslmode=verify-full&user=ada',
      ])
    for (const parameters of ['sslmode=disable', 'uselibpqcompat=true&sslmode=require'])
      expect(urls(`postgresql://one/wiki?${parameters}`)).to.deep.equal([
        `postgresql://one/wiki?${parameters}`,
      ])
  })

  it('with a password that is not percent-encoded is rejected, and the message repeats nothing of it', () => {
    for (const password of [
      'pa@s3/w@',
      's3@s3/cr3t',
      's3/cr3t',
      's3?cr3t',
      's3#cr3t',
      '5/s3cr3t',
      '5?s3cr3t',
      '5#s3cr3t',
      's3@s3/cr=3t',
      's3@s3?cr=3t',
      '5#s3cr=3t',
    ])
      expect(refusal(`postgresql://ada:${password}@one/wiki`), password).to.equal(
        'must be a URL with %40 for @, %2F for /, %3F for ? and %23 for # in user and password',
      )
    expect(names('postgresql://ada:s3%40c%2Fr3t@one/wiki')).to.deep.equal(['one:5432'])
    expect(names('postgresql:///wiki?host=one&user=ada@one')).to.deep.equal(['one:5432'])
  })

  it('is rejected when a server or its port has no name or number', () => {
    for (const text of [
      'postgresql://one,/wiki',
      'postgresql://,two/wiki',
      'postgresql://one:x,two/wiki',
      'postgresql:///wiki?host=one,&port=1',
      'postgresql:///wiki?host=one,two,three&port=1,2',
      'one,two',
      'mysql://one,two/wiki',
    ])
      expect(() => parseDatabaseUrl(text), text).to.throw(/^must /)
  })
})
