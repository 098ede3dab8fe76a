import { expect } from 'chai'
import fc from 'fast-check'
import { describeOnServer } from './support/database.ts'
import { rounds } from './support/rounds.ts'
import { type PageRule, type WikijsDatabase, wikijsDatabase } from './support/wikijs.ts'

interface Page {
  path: string
  locale: string
  tags: string[]
}

const KINDS = ['START', 'END', 'REGEX', 'TAG', 'EXACT']

/** Wiki.js's own steps from rule to rule, as `checkAccess` of its version 2.5 takes them. */
const wikijsMay = (rules: PageRule[], page: Page): boolean => {
  let state = { isDenied: false, kind: -1, length: 0 }
  for (const { match = 'START', path = '', deny = false, locales = [] } of rules) {
    if (locales.length > 0 && !locales.includes(page.locale)) continue
    const isAbout = {
      START: () => `/${page.path}`.startsWith(`/${path}`),
      END: () => page.path.endsWith(path),
      REGEX: () => new RegExp(path).test(page.path),
      TAG: () => page.tags.includes(path),
      EXACT: () => page.path === path,
    }[match]()
    if (!isAbout) continue
    const kind = KINDS.indexOf(match)
    if (path.length < state.length) continue
    if (path.length === state.length) {
      if (state.kind > kind) continue
      if (state.kind === kind && state.isDenied && !deny) continue
    }
    state = { isDenied: deny, kind, length: path.length }
  }
  return state.kind >= 0 && !state.isDenied
}

/** Where the two count characters differently, or end a dot's reach elsewhere, what is unsure hides. */
const isUnsure = (rules: PageRule[], page: Page): boolean =>
  /[\n\r\u2028\u2029\u{10000}-\u{10ffff}]/u.test(page.path) &&
  rules.some(
    ({ match, locales = [] }) => match === 'REGEX' && (locales.length === 0 || locales.includes(page.locale)),
  )

const segment = fc.constantFrom('a', 'ab', 'b', 'secret', 'é', '𝒳', 'a-b')
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'))
const regex = fc.constantFrom(
  '^a',
  'b$',
  '.*',
  'a/b',
  '^(a|b)/',
  '[a-c]+',
  '\\w+$',
  '^\\W',
  '(?:a|é)b?',
  'secret',
  '^(?!a)',
  'a{1,2}b',
  '\\d',
  '[^/]+/[^/]+',
  '^a\\-b',
  '[a\\-]b',
)
const rule: fc.Arbitrary<PageRule> = fc
  .record({
    match: fc.constantFrom('START', 'EXACT', 'END', 'REGEX', 'TAG') as fc.Arbitrary<PageRule['match']>,
    path: fc.oneof(path, fc.constant(''), segment),
    pattern: regex,
    deny: fc.boolean(),
    locales: fc.constantFrom<string[][]>([], ['en'], ['ru', 'en'], ['ru']),
  })
  .map(({ pattern, ...one }) => (one.match === 'REGEX' ? { ...one, path: pattern } : one))
const page = fc.record({
  path,
  locale: fc.constantFrom('en', 'ru'),
  tags: fc.uniqueArray(segment, { maxLength: 2 }),
})

// On the embedded database, test/wikijs-leaks.long.test.ts has rules of each kind.
describeOnServer('page rules of an attached Wiki.js', () => {
  let database: WikijsDatabase
  before(async () => {
    database = await wikijsDatabase()
  })
  after(() => database?.remove())

  const may = async (pages: Page[], permission = 'read:pages'): Promise<boolean[]> => {
    const rows = await database.wikijs.rows<{ may: boolean }>(
      `select wikijs.may($1, p ->> 'locale', p ->> 'path', array(select jsonb_array_elements_text(p -> 'tags'))) as may
         from jsonb_array_elements($2::jsonb) with ordinality as x (p, n) order by n`,
      [permission, JSON.stringify(pages)],
    )
    return rows.map((row) => row.may)
  }
  const home: Page = { path: 'home', locale: 'en', tags: [] }

  it('are evaluated as in Wiki.js, in any order and number', async () => {
    let allowed = 0
    let denied = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 6 }),
        fc.array(page, { minLength: 20, maxLength: 20 }),
        async (rules, pages) => {
          await database.wikijs.guests(rules)
          const expected = pages.map((one) => !isUnsure(rules, one) && wikijsMay(rules, one))
          expect(await may(pages)).to.deep.equal(expected)
          allowed += expected.filter((is) => is).length
          denied += expected.filter((is) => !is).length
        },
      ),
      { numRuns: rounds(60) },
    )
    expect(allowed).to.be.greaterThan(80)
    expect(denied).to.be.greaterThan(80)
  })

  it('apply only to their permission, and only if the group has it', async () => {
    await database.wikijs.guests([{ roles: ['read:pages'] }])
    expect([await may([home]), await may([home], 'read:history')]).to.deep.equal([[true], [false]])
    await database.wikijs.guests([{}], ['read:pages'])
    expect([await may([home]), await may([home], 'read:source')]).to.deep.equal([[true], [false]])
    await database.wikijs.guests([{}], ['read:history', 'manage:system'])
    expect(await may([home])).to.deep.equal([false])
  })

  it('come from all groups of the guest, and from no other group', async () => {
    const { wikijs } = database
    await wikijs.guests([{}])
    await wikijs.rows(
      `insert into public.groups (id, name, permissions, "pageRules", "createdAt", "updatedAt")
       values (7, 'More', '[]', '[{"match":"EXACT","deny":true,"path":"home","locales":[],"roles":["read:pages"]}]', '', '')`,
    )
    expect(await may([home])).to.deep.equal([true])
    await wikijs.rows(`insert into public."userGroups" (id, "userId", "groupId") values (70, 2, 7)`)
    expect(await may([home])).to.deep.equal([false])
    await wikijs.rows('delete from public."userGroups" where id = 70')
    expect(await may([home])).to.deep.equal([true])
    await wikijs.rows('delete from public."userGroups" where "userId" = 2')
    expect(await may([home])).to.deep.equal([false])
    await wikijs.rows('insert into public."userGroups" ("userId", "groupId") values (2, 2)')
  })

  for (const pattern of [
    '(?<=a)b',
    '(?i)home',
    '\\bhome',
    'ho(?<x>m)e',
    '\\s',
    '[[:alpha:]]',
    'a{',
    '(',
    '***=home',
    '\\1',
  ]) {
    it(`hide every page that ${pattern} could match, because JavaScript and PostgreSQL may evaluate it differently`, async () => {
      await database.wikijs.guests([{}, { match: 'REGEX', path: pattern, locales: ['en'], deny: true }])
      expect(await may([home, { ...home, locale: 'ru' }])).to.deep.equal([false, true])
    })
  }

  it('hide pages with characters that JavaScript counts twice, or that it treats as line ends', async () => {
    const paths = ['a𝒳', 'a\nb', 'a\u2028b']
    const asked = paths.map((path) => ({ ...home, path }))
    for (const deny of [{ path: '^.{3}$' }, { path: '^a[^]?' }, { path: '^a$' }]) {
      await database.wikijs.guests([{}, { match: 'REGEX', deny: true, ...deny }])
      expect(await may([home, ...asked])).to.deep.equal([deny.path !== '^a[^]?', false, false, false])
    }
    await database.wikijs.guests([{ match: 'REGEX', path: '.' }])
    expect(await may([home, ...asked])).to.deep.equal([true, false, false, false])
  })

  it('hide everything if they cannot be read', async () => {
    const { wikijs } = database
    await wikijs.guests([{}])
    await wikijs.create({ path: 'seen' })
    await wikijs.rows(`update public.groups set "pageRules" = '{"not":"a list"}' where id = 2`)
    expect(await may([home])).to.deep.equal([false])
    expect(await wikijs.rows('select path from guest.page')).to.deep.equal([])
  })
})
