import { BadParameter, BadRequest } from '@lectern/wiki/errors'
import { expect } from 'chai'
import fc from 'fast-check'
import type { AnyRoute, RequestContext } from '../src/rest/route.ts'
import { textParameter } from '../src/rest/routes/shared/parameters.ts'
import { originForm, patternOf, readTarget, requestReader } from '../src/rest/transport/request.ts'

const parameter = textParameter('A text.')
const route = {
  parameters: { path: { ...parameter, in: 'path' }, q: parameter, limit: parameter },
} as unknown as AnyRoute
const reader = requestReader(route, patternOf('/api/v1/pages/{path}'))
const read = (query: string, path = 'x') =>
  reader(`/api/v1/pages/${path}${query === '' ? '' : `?${query}`}`, {} as RequestContext)
const valuesOf = (query: string, path = 'x') => read(query, path).values

const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof BadParameter || error instanceof BadRequest) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

describe('request parameters', () => {
  it('are decoded and normalized to NFC', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\u0000')),
        (value) => {
          expect(valuesOf(`q=${encodeURIComponent(value)}`).q).to.equal(value.normalize('NFC'))
          expect(valuesOf(new URLSearchParams({ q: value }).toString()).q).to.equal(value.normalize('NFC'))
          if (value !== '')
            expect(valuesOf('', encodeURIComponent(value)).path).to.equal(value.normalize('NFC'))
        },
      ),
    )
  })

  it('contain a plus sign in the path, and a space instead of it in the query', () => {
    expect(valuesOf('q=a+b%2Bc', 'a+b')).to.include({ path: 'a+b', q: 'a b+c' })
  })

  for (const [query, expected] of [
    ['q=1&q=2', 'q: appears more than once'],
    ['q=1&%71=2', 'q: appears more than once'],
    ['q[]=1', 'q: takes one value'],
    ['limit%5B0%5D=1', 'limit: takes one value'],
    ['q[a][b]', 'q: takes one value'],
    ['q=%', 'q: contains percent-encoding'],
    ['q=%FF', 'q: contains percent-encoding'],
    ['q=%ED%A0%80', 'q: contains percent-encoding'],
    ['q=a%00', 'q: must not contain U+0000'],
  ] as const) {
    it(`are refused by name: ${query}`, () => {
      expect(refusal(() => valuesOf(query))).to.include(expected)
    })
  }

  it('in the path are refused by name if they cannot be decoded', () => {
    expect(refusal(() => valuesOf('', '%C3'))).to.match(/^path: /)
    expect(refusal(() => valuesOf('', 'a%00'))).to.match(/^path: /)
  })

  it('that are unknown are ignored', () => {
    for (const query of ['x=1&x=2', '%FF=1', 'x[]=%FF', '&&&', '=', 'Q=%FF', '__proto__=1', 'qq=%'])
      expect(valuesOf(query), query).to.include({ q: '' })
  })
})

describe('canonical requests', () => {
  it('are the same however the client wrote the query', () => {
    for (const query of ['q=a%20b&limit=c', 'limit=%63&q=a+b', 'x=1&q=a b&&limit=c&'.replace(' ', '%20')])
      expect(String(new URLSearchParams(read(query).query)), query).to.equal('q=a+b&limit=c')
  })

  it('omit parameters at their default', () => {
    for (const query of ['', 'q=', 'q', 'x=1'])
      expect(String(new URLSearchParams(read(query).query)), query).to.equal('')
  })

  it('have the path as the client sent it', () => {
    expect(read('', 'a%2Fb/c').path).to.equal('/pages/a%2Fb/c')
  })
})

describe('request targets', () => {
  it('lose origin and fragment', () => {
    expect(originForm('http://x.example/api/v1?x=1')).to.equal('/api/v1?x=1')
    expect(originForm('/a#b')).to.equal('/a')
  })

  it('that are not a path are null', () => {
    for (const target of ['*', '', 'x.example:80', 'ftp://x.example/', '?x'])
      expect(originForm(target), target).to.equal(null)
  })

  it('without a path have the path "/"', () => {
    expect(originForm('http://x.example')).to.equal('/')
    expect(originForm('HTTPS://x.example:443?x=1#y')).to.equal('/?x=1')
  })

  it('are split at the first question mark', () => {
    expect(readTarget('/a?b=c?d')).to.deep.equal({ path: '/a', query: 'b=c?d' })
    expect(readTarget('/a')).to.deep.equal({ path: '/a', query: '' })
  })

  it('match a route literally, with slashes in a parameter', () => {
    const pattern = patternOf('/pages/{path}/history')
    expect(pattern.exec('/pages/a/b/history')?.slice(1)).to.deep.equal(['a/b'])
    for (const path of ['/pages//history', '/pages/a/History', '/pages/a/history/', '/pagesXa/history'])
      expect(pattern.test(path), path).to.equal(false)
  })

  it('end a segment parameter at a slash', () => {
    const pattern = patternOf('/revisions/{id}', { segments: ['id'] })
    expect(pattern.exec('/revisions/a%2Fb')?.slice(1)).to.deep.equal(['a%2Fb'])
    for (const path of ['/revisions/a/', '/revisions/a/diff', '/revisions//a', '/revisions/'])
      expect(pattern.test(path), path).to.equal(false)
  })

  it('match the root with and without its slash', () => {
    for (const path of ['/api/v1', '/api/v1/']) expect(patternOf('/api/v1/').test(path)).to.equal(true)
    expect(patternOf('/api/v1/').test('/api/v1//')).to.equal(false)
  })
})
