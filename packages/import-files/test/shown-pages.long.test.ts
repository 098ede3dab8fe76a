import { readFrontMatter } from '@lectern/import-files/files/front-matter'
import { dueIn } from '@lectern/import-files/files/page-files'
import { type ShowRule, START_DATES, shownPages } from '@lectern/import-files/files/shown-pages'
import { openFolderSource } from '@lectern/import-files/folder/source'
import { openGitSource } from '@lectern/import-files/git/source'
import { expect } from 'chai'
import { pino } from 'pino'
import { nothingNew, reportNothingNew } from '../../../src/commands/import-summary.ts'
import type { Database } from '../../../src/db/database.ts'
import { followSource } from '../../../src/follow/follower.ts'
import { connectorOf } from '../../../src/import/connectors.ts'
import type { NamedSource } from '../../../src/write/imported-content.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { newNotesFolder, writeFiles } from '../../../test/support/folder.ts'
import { commit, newRepository, take } from '../../../test/support/git.ts'
import { storedContent } from '../../../test/support/importing.ts'
import { withService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { clearWorld } from '../../../test/support/world.ts'

const at = (date: string) => Date.parse(date)
const hugo = { 'hugo.toml': '', 'content/tea.md': 'x' }
const dated = (fields: string) => `---\n${fields}\n---\nx`

describe('pages that their site does not show', () => {
  const test = withService()
  let owner: Database

  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(clearWorld)

  const openers = { git: openGitSource, folder: openFolderSource }
  const importing = async (kind: 'git' | 'folder', folder: string, now: number, from?: NamedSource) => {
    const named = from ?? { name: 'main', version: 'v', settings: 's' }
    const open = openers[kind]
    const { summary, source } = await runImport(
      owner,
      (stored) => open(folder, { layouts: [], now, stored: () => stored }),
      { from: named },
    )
    test.service.invalidate()
    return { ...summary, notes: source.notes().join('\n') }
  }
  const live = async () =>
    (await test.get('/pages')).body.items.map(({ path }: { path: string }) => path).join(' ')
  const edits = async (path: string) => {
    const { body } = await test.get(`/pages/${path}/history`)
    return body.items?.map(({ created_at }: { created_at: string }) => created_at.slice(0, 10)).join(' ')
  }

  for (const kind of ['git', 'folder'] as const)
    it(`${kind}: appear at their date, and disappear at their end, also without a change`, async () => {
      const folder = kind === 'git' ? newRepository() : newNotesFolder()
      const files = {
        ...hugo,
        'content/plan.md': dated('title: Plan\ntags: [Later]\npublishDate: 2024-06-01'),
        'content/offer.md': dated('expiryDate: 2024-07-01'),
      }
      if (kind === 'git') commit(folder, files)
      else writeFiles(folder, files, '2024-05-01T12:00:00Z')
      const first = await importing(kind, folder, at('2024-05-02'))
      expect(first).to.include({ pages: 3, drafts: 1 })
      expect(first.notes).to.include('guests do not see until then: 1, first content/plan.md')
      expect(await live()).to.equal('offer tea')
      expect((await test.get('/categories')).body.items).to.deep.equal([])
      expect(await importing(kind, folder, at('2024-05-31T23:59:59Z'))).to.include({ changedRevisions: 0 })
      expect(await live()).to.equal('offer tea')
      await importing(kind, folder, at('2024-06-01'))
      expect(await live()).to.equal('offer plan tea')
      expect((await test.get('/categories')).body.items[0]).to.include({ name: 'Later' })
      const last = await importing(kind, folder, at('2024-07-01'))
      expect(last.notes).to.match(/expired: 1, first content\/offer\.md/)
      expect(await live()).to.equal('plan tea')
      const stored = await storedContent(owner)
      await clearWorld()
      await importing(kind, folder, at('2024-07-02'))
      expect(await storedContent(owner)).to.deep.equal(stored)
    })

  it('git: an edit that another followed before its date was never public, and stays hidden', async () => {
    const folder = newRepository()
    const day = (date: string, text: string) =>
      commit(folder, { ...hugo, 'content/plan.md': text }, { at: `2024-05-0${date}T12:00:00Z` })
    day('1', dated('date: 2024-05-09'))
    day('2', dated('date: 2024-05-04\ndraft: false'))
    day('3', `${dated('date: 2024-05-04')} better`)
    await importing('git', folder, at('2024-05-03T13:00:00Z'))
    expect(await edits('plan')).to.equal(undefined)
    day('5', `${dated('date: 2024-05-04')} best`)
    const { page } = await take(folder, { now: at('2024-06-01') })
    const statuses = page('plan').revisions.map(({ status }) => status)
    expect(statuses).to.deep.equal(['draft', 'draft', 'accepted', 'accepted'])
    await importing('git', folder, at('2024-06-01'))
    expect(await edits('plan')).to.equal('2024-05-05 2024-05-03')
  })

  it('a repeated import and a follower look again when the time has come', async () => {
    const folder = newRepository()
    commit(folder, { ...hugo, 'content/plan.md': dated('date: 2024-06-01') })
    const options = { ...{ layouts: [], sourcesFolder: '' }, isPublic: false, configuration: undefined }
    const connector = connectorOf('git', folder, options as never)
    const from = { name: 'main', version: await connector.version(), settings: 's' }
    const isNew = async () => !(await reportNothingNew(await nothingNew(owner, from), from, connector))
    await importing('git', folder, at('2024-05-02'), from)
    expect(await isNew(), 'the date is past').to.equal(true)
    let imports = 0
    const target = {
      version: connector.version,
      import: async (version: string) => {
        await importing('git', folder, at('2025-01-01'), { ...from, version })
        imports += 1
      },
    }
    const logger = pino({ level: 'silent' })
    const follower = await followSource(owner, target, { name: 'main', everyMs: () => 10, logger })
    await until('the page', async () => (await live()) === 'plan tea')
    await follower.stop()
    expect(imports).to.equal(1)
    expect(await isNew()).to.equal(false)
  })

  it('do not lead links, hide what the settings of a site say, and are told with their reason', async () => {
    const shown = async (files: Record<string, string>) => {
      const folder = newRepository()
      commit(folder, files)
      const { pages, notes } = await take(folder, { now: at('2024-05-02') })
      const paths = pages.filter(({ state }) => state === 'live').map(({ path }) => path)
      return `${paths.join(' ')} | ${[...notes.matchAll(/(future|expired|in no list|left out).*?first (.*)/g)].map(([, kind, files]) => `${kind} ${files}`).join(' | ')}`
    }
    const list = (value: string) => dated(`build: {list: ${value}}`)
    const future = dated('date: 2099/01/01')
    const post = {
      '_config.yml': 'title: Tea\n',
      'index.md': future,
      '_posts/2099-01-01-a.md': dated('title: A'),
    }
    const posts = 'index | future _posts/2099-01-01-a.md'
    const cases: [string, Record<string, string>, string][] = [
      [
        'Jekyll',
        { ...post, '_posts/2020-01-01-b.md': future, '_posts/2098-01-01-c.md': dated('date: 2020-01-01') },
        '_posts/2098-01-01-c index | future _posts/2020-01-01-b.md, _posts/2099-01-01-a.md',
      ],
      ['Jekyll, future', { ...post, '_config.yml': 'future: true\n' }, '_posts/2099-01-01-a index | '],
      [
        'GitHub Pages',
        { ...post, Gemfile: 'gem "github-pages", group: :x\n' },
        '_posts/2099-01-01-a index | ',
      ],
      ['Jekyll with its gem', { ...post, Gemfile: '# gem "github-pages"\ngem "jekyll"\n' }, posts],
      [
        'Hugo, buildFuture',
        {
          'hugo.toml': 'buildFuture = true\n',
          'content/a.md': future,
          'content/b.md': dated('unpublishdate: 2020-01-01'),
        },
        'a | expired content/b.md',
      ],
      [
        'Hugo, names of files',
        {
          'hugo.toml': '[frontmatter]\ndate = [":filename", ":default"]\n',
          'content/2099-01-01-a/index.md': 'x',
          'content/b.md': 'x',
        },
        'b | future content/2099-01-01-a/index.md',
      ],
      [
        'Hugo, lists',
        {
          ...hugo,
          'content/a.md': list('never'),
          'content/b.md': list('local'),
          'content/c/_index.md': dated(
            'cascade:\n  - build: {list: never}\n    target: {environment: production}',
          ),
          'content/c/d.md': 'x',
          'content/e.md': dated('build: {render: link}'),
        },
        'b tea | left out content/e.md | in no list content/a.md, content/c/_index.md, content/c/d.md',
      ],
      [
        'Docusaurus',
        { 'docusaurus.config.js': '', 'docs/a.md': dated('unlisted: true'), 'docs/b.md': future },
        'b | in no list docs/a.md',
      ],
      [
        'Zola',
        { 'config.toml': 'base_url = "x"\n', 'content/a.md': '+++\ndate = 2099-01-01\n+++\nx' },
        'a | ',
      ],
      [
        'MkDocs',
        {
          'mkdocs.yml': 'plugins:\n  - blog:\n      draft_if_future_date: true\n',
          'docs/posts/a.md': future,
          'docs/b.md': future,
        },
        'b | future docs/posts/a.md',
      ],
      ['plain', { 'a.md': future, 'b.md': 'x' }, 'a b | '],
    ]
    for (const [name, files, expected] of cases) expect(await shown(files), name).to.equal(expected)
  })
})

describe('dates of pages', () => {
  /** Whether a page is shown a minute before this time, and from it on. */
  const appears = (block: string, time: string, rule: ShowRule = {}) => {
    const { address } = readFrontMatter(block)
    const { heldBack } = shownPages({ from: START_DATES, ...rule }, new Map(), at('2024-01-01'))
    const [before, from] = [at(time) - 60_000, at(time)].map((now) => heldBack('a.md', address, now))
    return [before, from].join() === 'future page,'
  }

  it('are read as Hugo and Jekyll do, in all forms and zones', () => {
    const yaml = (value: string) => `---\ndate: ${value}\n---\n`
    for (const [value, time] of [
      ['2024-06-01', '2024-06-01'],
      ['2024-6-1', '2024-06-01'],
      ['2024-06-01T12:00:00Z', '2024-06-01T12:00Z'],
      ['"2024-06-01T12:00:00.000+02:00"', '2024-06-01T10:00Z'],
      ['2024-06-01 12:00 -0330', '2024-06-01T15:30Z'],
      ['2024-06-01 12:00:00 +0000 UTC', '2024-06-01T12:00Z'],
      ['June 1, 2024 12:00', '2024-06-01T12:00Z'],
      ['20240601', '2024-06-01'],
      ['01/06/2024 12:00', '2024-06-01T12:00Z'],
      ['2024-06-01 12:00 +02', '2024-06-01T10:00Z'],
      ['\n  created: 2024-06-01\n  updated: 2020-01-01', '2024-06-01'],
    ])
      expect(appears(yaml(value!), time!), value).to.equal(true)
    for (const [value, time] of [
      ['2024-06-01', '2024-05-31T22:00Z'],
      ['2024-12-01 12:00', '2024-12-01T11:00Z'],
      ['2024-06-01T12:00:00Z', '2024-06-01T12:00Z'],
    ])
      expect(appears(yaml(value!), time!, { zone: 'Europe/Oslo' }), value).to.equal(true)
    expect(appears(yaml('2024-06-01'), '2024-06-01', { zone: 'Tea/Pot' })).to.equal(true)
    expect(appears('+++\ndate = 2024-06-01T12:00:00+02:00\n+++\n', '2024-06-01T10:00Z')).to.equal(true)
    expect(appears('+++\npublishDate = 2024-06-01\ndate = 2020-01-01\n+++\n', '2024-06-01')).to.equal(true)
    expect(appears('{"PubDate": "2024-06-01"}\n', '2024-06-01')).to.equal(true)
    expect(appears('---\npublished: true\ndate: 2024-06-01\n---\n', '2024-06-01')).to.equal(true)
    expect(appears('+++\ntitle = "a\ndate = 2024-06-01\n+++\n', '2024-06-01'), 'invalid TOML').to.equal(true)
    for (const value of ['2055', '2055011', '1717236000', 'volume 45', '[a]', 'soon'])
      expect(appears(yaml(value), '2044-01-01'), value).to.equal(false)
  })

  it('that a state says otherwise than as a number tell nothing', () => {
    expect([{ due: 5 }, { due: '5' }, null].map(dueIn)).to.deep.equal([5, undefined, undefined])
  })
})
