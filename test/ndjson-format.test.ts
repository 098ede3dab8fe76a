import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { ndjsonLine } from '@lectern/wiki/records'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

const schema = JSON.parse(readFileSync(packagePath('schema', 'ndjson.schema.json'), 'utf8'))
const validate = new Ajv2020({ strict: true, validateFormats: false }).compile(schema)
const document = readFileSync(packagePath('docs', 'ndjson.md'), 'utf8')

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const blocks = [...document.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language, code]) => ({
  language,
  code: code!,
}))

const page = {
  type: 'page',
  locale: 'en',
  path: 'sencha',
  state: 'live',
  revisions: [
    {
      created_at: '2024-05-01T12:34:56Z',
      author: 'Ada',
      status: 'accepted',
      title: 'Sencha',
      markdown: 'Tea',
    },
  ],
}
const wiki = { type: 'wiki', name: 'W', default_locale: 'en', locales: [{ locale: 'en', name: 'English' }] }

/** Lines that an import refuses, and which of their mistakes the schema tells, too. */
const MISTAKES: [what: string, line: unknown, isTold: boolean][] = [
  ['a line of another type', { ...page, type: 'pages' }, true],
  ['a field that is missing', { ...page, state: undefined }, true],
  ['a field that no line has', { ...page, id: 1 }, true],
  ['another state', { ...page, state: 'public' }, true],
  ['a control character in a path', { ...page, path: 'a\u0085b' }, true],
  ['a long path', { ...page, path: 'a'.repeat(513) }, true],
  ['a path that is long in bytes', { ...page, path: 'я'.repeat(257) }, false],
  ['another form of a locale', { ...page, locale: 'english' }, true],
  [
    'a date without a time',
    { ...page, revisions: [{ ...page.revisions[0], created_at: '2024-05-01' }] },
    true,
  ],
  [
    'a date that does not exist',
    { ...page, revisions: [{ ...page.revisions[0], created_at: '2024-02-30T00:00:00Z' }] },
    false,
  ],
  ['an id that is no UUID', { ...page, revisions: [{ ...page.revisions[0], id: '17' }] }, true],
  ['no language', { ...wiki, locales: [] }, true],
  ['a default language that the wiki does not have', { ...wiki, default_locale: 'ru' }, false],
]

describe('docs/ndjson.md and schema/ndjson.schema.json', () => {
  const folder = withTemporaryFolder()

  it('accept each line of the sample wiki and of the examples', () => {
    const sample = linesOf(readFileSync(packagePath('sample', 'tea-wiki.ndjson'), 'utf8'))
    const examples = linesOf(blocks[0]!.code)
    expect(examples).to.have.length(2)
    for (const line of [...sample, ...examples, wiki, page]) {
      expect(validate(line), JSON.stringify(validate.errors)).to.equal(true)
      expect(ndjsonLine.safeParse(line).success).to.equal(true)
    }
  })

  for (const [what, line, isTold] of MISTAKES)
    it(`${isTold ? 'refuse' : 'cannot refuse'} ${what}, which an import refuses`, () => {
      const parsed = JSON.parse(JSON.stringify(line))
      expect(ndjsonLine.safeParse(parsed).success).to.equal(false)
      expect(validate(parsed)).to.equal(!isTold)
    })

  it('accept each line that an import accepts, though it is unusual', () => {
    const revision = page.revisions[0]
    for (const line of [
      { ...page, locale: 'PT_br' },
      { ...page, path: 'категория/茶 🍵' },
      { ...page, revisions: [] },
      {
        ...page,
        revisions: [{ ...revision, created_at: '2024-05-01t12:34:56.123456+09:00', author: '', comment: '' }],
      },
      { ...page, revisions: [{ ...revision, categories: [{ key: 'tea' }, { key: 'x', sort_key: 'y' }] }] },
    ]) {
      expect(ndjsonLine.safeParse(line).success).to.equal(true)
      expect(validate(line), JSON.stringify(validate.errors)).to.equal(true)
    }
  })

  it('name each field', () => {
    const fields = new Set<string>()
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      const { properties } = value as { properties?: object }
      for (const name of Object.keys(properties ?? {})) fields.add(name)
      for (const part of Object.values(value)) visit(part)
    }
    visit(schema)
    expect([...fields].filter((name) => name !== 'type' && !document.includes(`\`${name}\``))).to.deep.equal(
      [],
    )
  })

  it('turn a wiki in SQLite into lines that an import accepts', function () {
    if (spawnSync('python3', ['-c', 'import sqlite3']).status !== 0) this.skip()
    const { code } = blocks.find(({ language }) => language === 'python')!
    expect(code.split('\n').filter((line) => line !== '')).to.have.length.at.most(40)
    const [program, database] = [folder.write('to_ndjson.py', code), folder.path('wiki.sqlite')]
    const fill = `
import sqlite3, sys
wiki = sqlite3.connect(sys.argv[1])
wiki.executescript("""
  create table page (id integer primary key, slug text, title text, hidden integer);
  create table revision (page_id integer, body text, author text, note text, edited integer);
  create table tag (page_id integer, name text);
  insert into page values (1, 'sencha', 'Sencha 煎茶', 0), (2, 'secret', 'Secret', 1);
  insert into revision values (1, 'Old', 'Ada', null, 1714566896), (1, 'New', 'Bo', 'better', 1714566897), (2, 'x', '', '', 1);
  insert into tag values (1, 'green-tea');
""")
wiki.commit()`
    execFileSync('python3', ['-', database], { input: fill })
    const lines = linesOf(execFileSync('python3', [program, database], { encoding: 'utf8' }))
    for (const line of lines) {
      expect(validate(line), JSON.stringify(validate.errors)).to.equal(true)
      expect(ndjsonLine.safeParse(line).error).to.equal(undefined)
    }
    expect(lines.slice(1)).to.deep.equal([
      {
        type: 'page',
        locale: 'en',
        path: 'sencha',
        state: 'live',
        revisions: [
          {
            created_at: '2024-05-01T12:34:56+00:00',
            author: 'Ada',
            comment: '',
            status: 'accepted',
            title: 'Sencha 煎茶',
            markdown: 'Old',
            categories: [{ key: 'green-tea' }],
          },
          {
            created_at: '2024-05-01T12:34:57+00:00',
            author: 'Bo',
            comment: 'better',
            status: 'accepted',
            title: 'Sencha 煎茶',
            markdown: 'New',
            categories: [{ key: 'green-tea' }],
          },
        ],
      },
      {
        type: 'page',
        locale: 'en',
        path: 'secret',
        state: 'draft',
        revisions: [
          {
            created_at: '1970-01-01T00:00:01+00:00',
            author: '',
            comment: '',
            status: 'accepted',
            title: 'Secret',
            markdown: 'x',
            categories: [],
          },
        ],
      },
    ])
  })
})
