import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GitOptions, openGitSource } from '@lectern/import-files/git/source'
import type { ImportRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { statement } from '../../../src/db/statements.ts'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { commit, type Files, git, gitFolder, newRepository, signature } from '../../../test/support/git.ts'
import { storedContent, storedRows } from '../../../test/support/importing.ts'
import { RANDOM_LAYOUTS, randomNumbers, randomRepository } from '../../../test/support/random-repository.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const { owner } = await testDatabase()

/** How many commits of a random history are followed, and at how many points it is compared. */
const { LECTERN_TEST_COMMITS = '24', LECTERN_TEST_POINTS = '3' } = process.env

describe('import git: what changed since the last import', () => {
  const test = withService()
  beforeEach(clearWorld)

  /** Imports a repository. @returns what the source yielded: all pages, some of their edits, or nothing */
  const importing = async (folder: string, options: Partial<GitOptions> = {}) => {
    const pages: Extract<ImportRecord, { type: 'page' }>[] = []
    const { source, summary } = await runImport(
      owner,
      async (stored) => {
        const opened = await openGitSource(folder, {
          layouts: [],
          name: 'Tea Wiki',
          ...options,
          stored: () => stored,
        })
        const { records } = opened
        const recorded = async function* () {
          for await (const record of records) {
            if (record.type === 'page') pages.push(record)
            yield record
          }
        }
        return { ...opened, records: recorded() }
      },
      { from: { name: 'main', isConfirmed: true, keepMissing: options.keepsMissing } },
    )
    test.service.invalidate()
    const isPartial = pages.length > 0 && pages.every(({ hasAllRevisions }) => !hasAllRevisions)
    return {
      ...summary,
      notes: source.notes().join('\n'),
      reading:
        source.covers!() === 'wiki'
          ? 'all'
          : pages.length === 0
            ? 'nothing'
            : isPartial
              ? 'commits'
              : 'pages',
      pages: [...new Set(pages.map(({ locale, path }) => `${locale} ${path}`))].sort(),
    }
  }

  /** Fails if the database is not as after an import into an empty one. */
  const expectFresh = async (
    folder: string,
    options: Partial<GitOptions> = {},
    message = '',
  ): Promise<void> => {
    const followed = await storedContent(owner)
    await clearWorld()
    await importing(folder, options)
    expectSame(followed, await storedContent(owner), message)
  }

  for (const [what, layouts, files, marks] of [
    ['its settings', [], { '.obsidian/app.json': '{}' }, { '.obsidian/app.json': null }],
    ['links by name', [], { 'cup.md': '[[tea]]' }, { 'cup.md': 'x', 'Home.md': 'x' }],
    [
      'its settings, with a layout',
      ['{path}.md'],
      { '.obsidian/app.json': '{}' },
      { '.obsidian/app.json': null },
    ],
    [
      'its folder',
      [],
      { 'a/.obsidian/app.json': '{}', 'a/mate.md': 'a %%unseen%%' },
      { 'a/.obsidian/app.json': null, 'a/mate.md': null, 'mate.md': 'a %%unseen%%' },
    ],
  ] as [string, string[], Files, Files][])
    it(`a vault that loses ${what} stays a vault: no edit shows its comments`, async () => {
      const folder = newRepository()
      commit(folder, { ...files, 'tea.md': 'old %%unseen%%', 'a/b.md': 'x' })
      commit(folder, { 'tea.md': 'new %%unseen%%' })
      await importing(folder, { layouts })
      commit(folder, { ...marks, 'tea.md': 'newer %%unseen%%', 'mate.md': 'a %%unseen%%' })
      for (const times of ['first', 'second']) {
        const { notes } = await importing(folder, { layouts })
        expect(notes, times).to.include('stay hidden')
        expect(JSON.stringify(await storedRows(owner)), times).to.not.include('unseen')
        expect((await test.get('/search?q=unseen')).body.items, times).to.deep.equal([])
        commit(folder, { 'cup.md': 'more %%unseen%%' })
      }
      await importing(folder, { layouts: ['{path}.md@en'] })
      expect(JSON.stringify(await storedRows(owner))).to.not.include('unseen')
      const { notes } = await importing(folder, { layouts: ['markdown'] })
      expect(notes).to.not.include('stay hidden')
      expect((await test.get('/search?q=unseen')).body.items).to.not.deep.equal([])
    })

  it('plain files with links by name stay plain without comments; settings make a vault, and a line says so', async () => {
    const folder = newRepository()
    commit(folder, {
      'README.md': '# Tea\n\n[a](pay.md) %%unseen%%',
      'pay.md': '# How to pay',
      'cup.md': 'x',
    })
    await importing(folder)
    for (const link of ['[[pay]] %%unseen%%', '[[pay]] [[cup]] %%unseen%%']) {
      commit(folder, { 'README.md': `# Tea\n\n${link}`, 'cup.md': link, 'pay.md': `# How to pay\n\n${link}` })
      expect((await importing(folder)).notes).to.include('paths and titles stay as they were')
      expect(JSON.stringify(await storedRows(owner))).to.not.include('unseen')
      expect((await test.get('/pages/index')).body.title).to.equal('Tea')
    }
    commit(folder, { '.obsidian/app.json': '{}' })
    expect((await importing(folder)).notes).to.include('an .obsidian folder makes the files a vault')
    expect((await test.get('/pages/README')).body.title).to.equal('README')
    expect((await importing(folder)).notes).to.not.include('WARNING')
  })

  it('leaves the messages of commits out, of edits that had one, too, until they are wanted again', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'old' })
    commit(folder, { 'tea.md': 'new' })
    const comments = async () =>
      (await test.get('/pages/tea/history')).body.items.map((one: { comment: string }) => one.comment)
    await importing(folder)
    const messages = await comments()
    expect(messages.every((message: string) => message !== '')).to.equal(true)
    await importing(folder, { messages: false })
    expect(await comments()).to.deep.equal(['', ''])
    commit(folder, { 'tea.md': 'newer' })
    expect((await importing(folder, { messages: false })).reading).to.equal('commits')
    expect(await comments()).to.deep.equal(['', '', ''])
    await expectFresh(folder, { messages: false })
    await importing(folder)
    expect((await comments()).slice(1)).to.deep.equal(messages)
  })

  it('what was taken for notes of Obsidian and has no comment gets no warning', async () => {
    const folder = newRepository()
    commit(folder, { 'a.md': 'See [[b]].', 'b.md': 'x' })
    await importing(folder)
    commit(folder, { 'a.md': 'See b.', 'b.md': null, 'c.md': 'x' })
    expect((await importing(folder)).notes).to.not.include('WARNING')
    commit(folder, { 'c.md': 'x %%y%%' })
    expect((await importing(folder)).notes).to.include('stay hidden')
  })

  for (const [tool, config, start, nameOf] of [
    ['Hugo', { 'hugo.toml': '[permalinks]\nposts = "/:year/:month/:slug/"\n' }, 'content/', 'posts/'],
    ['Jekyll', { '_config.yml': 'permalink: pretty\n' }, '', '_posts/2022-05-06-'],
  ] as const)
    it(`${tool}: a post with a date in its address changes no other page, and each step is as a fresh import`, async () => {
      const folder = newRepository()
      const post = (date: string, slug = '') => `---\ndate: ${date}\n${slug}---\nx`
      const name = (own: string) =>
        `${start}${own === 'tea' ? nameOf : nameOf.replace('2022', '2021')}${own}.md`
      commit(folder, {
        ...config,
        [`${start}a.md`]: '[x](/2022/05/tea/) [y](/2022/05/06/tea/) [z](/2022/05/cup/)',
      })
      commit(folder, { [name('tea')]: post('2022-05-06') })
      await importing(folder)
      for (const [changes, edits] of [
        [{ [name('cup')]: post('2022-05-07') }, 1],
        [{ [name('cup')]: post('2023-01-02') }, 1],
        [{ [name('cup')]: post('2023-01-02', 'slug: mug\n') }, null],
        [{ [name('cup')]: null, [name('pot')]: post('2023-01-02', 'slug: mug\n') }, null],
      ] as [Files, number | null][]) {
        commit(folder, changes)
        const { revisions } = await importing(folder)
        if (edits !== null) expect(revisions).to.equal(edits)
        await expectFresh(folder)
      }
    })

  it('an alias of a note of a vault leads to it from its folder, not over a page, nor if two notes have it', async () => {
    const folder = newRepository()
    const note = (names: string, key = 'aliases') => `---\n${key}: [${names}]\n---\n${'Water.\n'.repeat(20)}`
    commit(folder, { '.obsidian/app.json': '{}', 'a/Hot.md': note('Hidden', 'publish: false\naliases') })
    for (const [changes, expected] of [
      [
        { 'a/Tea.md': note('Sencha, a/b/c, Cup'), 'a/Cup.md': note('Mug, Mug') },
        'Sencha>Tea Mug>Cup b%2Fc>Tea',
      ],
      [{ 'a/Mate.md': note('Sencha, Hot') }, 'Mug>Cup Hot>Mate b%2Fc>Tea'],
      [
        { 'a/Tea.md': note('index', 'permalink: a/Top\naliases'), 'a/Cup.md': null },
        'Sencha>Mate Hot>Mate index>Tea Top>Tea',
      ],
      [{ 'a/Mug.md': 'x', 'a/Tea.md': null, 'a/New.md': note('') }, 'Sencha>Mate Hot>Mate Tea>New'],
      [{ 'a/Mate.md': note('Tea') }, 'Tea>New'],
    ] as [Files, string][]) {
      commit(folder, changes)
      await importing(folder)
      const found: string[] = []
      for (const name of ['Sencha', 'Mug', 'Hot', 'Hidden', 'index', 'Tea', 'b%2Fc', 'Cup', 'Top']) {
        const { headers } = await test.get(`/pages/a%2F${name}`)
        const [, to] = /pages\/a%2F(\w+)\?[^>]*>; rel="succ/.exec(String(headers.link)) ?? []
        if (to) found.push(`${name}>${to}`)
      }
      expect(found.join(' ')).to.equal(expected)
    }
    await expectFresh(folder)
  })

  it('a repository that becomes a vault shows no comment, also not in edits that its history lost and that are kept', async () => {
    const folder = newRepository()
    const keeps = { keepsMissing: true }
    const pages = { 'mate.md': 'a %%unseen%%', 'cup.md': 'x' }
    commit(folder, { ...pages, 'tea.md': 'old %%unseen%%', 'kept.md': 'old' })
    commit(folder, { 'tea.md': 'new', 'kept.md': 'new' })
    await importing(folder, keeps)
    const other = newRepository()
    commit(other, { '.obsidian/app.json': '{}', 'tea.md': 'newer %%unseen%%', 'kept.md': 'newer' })
    const { removed } = await importing(other, keeps)
    expect([removed.revisions, removed.changedPages.length]).to.deep.equal([2, 2])
    expect(JSON.stringify(await storedRows(owner))).to.not.include('unseen')
    expect((await test.get('/pages/mate')).status).to.equal(404)
    expect((await test.get('/pages/cup')).status).to.equal(200)
    expect((await test.get('/pages/kept/history')).body.items).to.have.length(3)
    commit(other, { 'tea.md': '`%%`' })
    commit(other, { 'tea.md': 'z' })
    await importing(other, keeps)
    git(other, ['reset', '-q', '--hard', 'HEAD~2'])
    expect((await importing(other, keeps)).removed.revisions).to.equal(0)
  })

  it('a shallow clone that becomes a vault shows no comment, also not of commits that it no longer has', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'old %%unseen%%', 'cup.md': 'a %%unseen%%' })
    git(folder, ['clone', '-q', '--depth', '1', `file://${folder}`, `${folder}/shallow`])
    await importing(`${folder}/shallow`)
    commit(folder, { '.obsidian/app.json': '{}', 'tea.md': 'new' })
    git(`${folder}/shallow`, ['fetch', '-q', '--depth', '1'])
    git(`${folder}/shallow`, ['reset', '-q', '--hard', '@{upstream}'])
    await importing(`${folder}/shallow`)
    expect(JSON.stringify(await storedRows(owner))).to.not.include('unseen')
    expect((await test.get('/pages/cup')).body.markdown).to.equal('a ')
  })

  /** As if another source had removed pages whose paths this one wanted. */
  const freeConflictingPaths = async () => {
    const client = await owner.connect()
    try {
      await client.query('update wiki.source set has_conflicts = true')
      await client.query(statement('recheck_conflicts').text, [0])
    } finally {
      client.release()
    }
  }

  it('a vault that lost its settings stays a vault when another source frees a path that it left out', async () => {
    const folder = newRepository()
    commit(folder, { '.obsidian/app.json': '{}', 'tea.md': 'old %%unseen%%' })
    await importing(folder)
    commit(folder, { '.obsidian/app.json': null, 'tea.md': 'new %%unseen%%' })
    await importing(folder)
    await freeConflictingPaths()
    commit(folder, { 'mate.md': 'x' })
    expect((await importing(folder)).notes).to.include('stay hidden')
    expect(JSON.stringify(await storedRows(owner))).to.not.include('unseen')
  })

  it('a vault that moves with its settings is recognized as one there, without a warning', async () => {
    const folder = newRepository()
    commit(folder, { 'README.md': 'x', 'notes/.obsidian/app.json': '{}', 'notes/tea.md': 'old %%unseen%%' })
    await importing(folder)
    git(folder, ['mv', 'notes', 'wiki'])
    commit(folder, {})
    for (const text of ['new', 'newer']) {
      const { notes } = await importing(folder)
      expect(notes).to.not.include('stay hidden')
      expect((await test.get('/pages/tea')).status).to.equal(200)
      expect(JSON.stringify(await storedRows(owner))).to.not.include('unseen')
      commit(folder, { 'wiki/tea.md': `${text} %%unseen%%` })
    }
  })

  const TEXT = Array.from({ length: 20 }, (_, i) => `Line ${i} is about tea\n`).join('')
  const tagged = (tags: string, text = TEXT) => `---\ntags: [${tags}]\n---\n${text}`
  const repositoryOf = (...steps: Files[]): string => {
    const folder = newRepository()
    for (const [i, files] of steps.entries()) addStep(folder, i + 1, files)
    return folder
  }
  const addStep = (folder: string, day: number, files: Files): string =>
    commit(folder, files, { at: `2024-05-${String(day).padStart(2, '0')}T12:00:00Z`, message: `step ${day}` })

  it('an import starts at most six processes of git, and three if nothing is new', async () => {
    const folder = repositoryOf({ 'tea.md': `${TEXT}![](cup.png)`, 'cup.png': 'x' }, { 'mate.md': TEXT })
    git(folder, ['mv', 'mate.md', 'moved.md'])
    addStep(folder, 3, {})
    const programs = mkdtempSync(join(gitFolder(), 'programs'))
    const { PATH } = process.env
    const program = `#!/bin/sh\necho >> "$0.log"\nPATH='${PATH}' exec git "$@"\n`
    writeFileSync(join(programs, 'git'), program, { mode: 0o755 })
    const processesOf = async (): Promise<number> => {
      process.env.PATH = `${programs}:${PATH}`
      try {
        await importing(folder)
      } finally {
        process.env.PATH = PATH
      }
      const { length } = readFileSync(join(programs, 'git.log'))
      rmSync(join(programs, 'git.log'))
      return length
    }
    expect(await processesOf()).to.equal(6)
    expect(await processesOf()).to.equal(3)
  })

  it('a change of an included file is read with the pages that include it, and a new include alone', async () => {
    const folder = repositoryOf({
      'book.toml': '',
      'src/tea.md': '{{#include a.rs}}',
      'src/mate.md': 'x',
      'src/a.rs': 'one',
      'src/b.rs': 'x',
    })
    await importing(folder)
    commit(folder, { 'src/a.rs': 'two' })
    expect(await importing(folder)).to.include({ reading: 'pages', newRevisions: 1 })
    expect((await test.get('/pages/tea')).body.markdown).to.equal('two')
    commit(folder, { 'src/mate.md': '{{#include b.rs}} {{#include a.rs}}' })
    expect(await importing(folder)).to.include({ reading: 'commits', newRevisions: 1 })
    commit(folder, { 'src/b.rs': 'y' })
    expect(await importing(folder)).to.include({ reading: 'pages', newRevisions: 1 })
    expect((await test.get('/pages/mate')).body.markdown).to.equal('y two')
    commit(folder, { 'book.toml': '', 'src/b.rs': null, 'src/c.rs': 'z' })
    await importing(folder)
    expect(await importing(folder)).to.include({ reading: 'nothing' })
    await expectFresh(folder)
  })

  it('is nothing if there is no new commit; then not a row is written', async () => {
    const folder = repositoryOf({ 'tea.md': tagged('Hot'), 'cup.md': TEXT })
    await importing(folder)
    const before = (await storedRows(owner)).filter((row) => !/^(wiki|locale) /.test(row))
    expect(await importing(folder)).to.deep.include({ reading: 'nothing', pages: [], newRevisions: 0 })
    expect((await storedRows(owner)).filter((row) => !/^(wiki|locale) /.test(row))).to.deep.equal(before)
    await expectFresh(folder)
  })

  it('is the new edits of the pages that new commits change, create, hide and delete', async () => {
    const folder = repositoryOf({
      'tea.md': tagged('Hot, Green Tea'),
      'cup.md': tagged('hot'),
      'pot.md': tagged('pots'),
      'old.md': TEXT,
      'plan.md': TEXT,
    })
    await importing(folder)
    addStep(folder, 2, { 'tea.md': tagged('HOT'), 'new.md': 'new' })
    addStep(folder, 3, { 'tea.md': tagged('Strong'), 'old.md': null })
    addStep(folder, 4, { 'plan.md': `---\ndraft: true\n---\n${TEXT}`, 'gone.md': 'x' })
    addStep(folder, 5, { 'gone.md': null })
    expect(await importing(folder)).to.deep.include({
      reading: 'commits',
      pages: ['en gone', 'en new', 'en old', 'en plan', 'en tea'],
      newRevisions: 5,
      deletedPages: 2,
      deletedLive: 1,
    })
    const names = (await storedContent(owner)).map((row) => /^category .*"name": "(.*?)"/.exec(row)?.[1])
    expect(names.filter((name) => name !== undefined)).to.deep.equal(['hot', 'pots', 'Strong'])
    await expectFresh(folder)
  })

  it('is the edits of branches that begin at the last import', async () => {
    const folder = repositoryOf({ 'tea.md': TEXT, 'cup.md': TEXT })
    await importing(folder)
    git(folder, ['checkout', '-q', '-b', 'side'])
    addStep(folder, 3, { 'tea.md': `${TEXT}side\n` })
    git(folder, ['checkout', '-q', 'main'])
    addStep(folder, 2, { 'cup.md': `${TEXT}main\n` })
    git(folder, ['merge', '-q', '-m', 'merge', 'side'], signature('2024-05-04T12:00:00Z'))
    expect((await importing(folder)).reading).to.equal('commits')
    await expectFresh(folder)
  })

  it('is whole pages if a branch began before the last import, or a page was renamed', async () => {
    const folder = repositoryOf({ 'tea.md': TEXT, 'cup.md': 'x', 'pot.md': 'y' })
    git(folder, ['checkout', '-q', '-b', 'side'])
    addStep(folder, 2, { 'tea.md': `${TEXT}side\n` })
    git(folder, ['checkout', '-q', 'main'])
    addStep(folder, 3, { 'pot.md': 'main' })
    await importing(folder)
    git(folder, ['merge', '-q', '-m', 'merge', 'side'], signature('2024-05-04T12:00:00Z'))
    expect(await importing(folder)).to.deep.include({ reading: 'pages', pages: ['en tea'] })
    addStep(folder, 5, { 'tea.md': null, 'green.md': TEXT })
    expect(await importing(folder)).to.deep.include({
      reading: 'pages',
      pages: ['en green'],
      movedRevisions: 2,
      renamedPages: 1,
      deletedPages: 0,
    })
    expect((await test.get('/pages/green/history')).body.items).to.have.length(3)
    addStep(folder, 6, { 'green.md': `---\ndraft: true\n---\n${TEXT}` })
    expect((await importing(folder)).reading).to.equal('commits')
    addStep(folder, 7, { 'green.md': TEXT })
    await importing(folder)
    await expectFresh(folder)
  })

  it('is also an edit of a branch that is dated before the last edit', async () => {
    const folder = repositoryOf({ 'tea.md': TEXT, 'cup.md': 'x' })
    git(folder, ['checkout', '-q', '-b', 'side'])
    addStep(folder, 2, { 'tea.md': `${TEXT}side\n` })
    git(folder, ['checkout', '-q', 'main'])
    addStep(folder, 3, { 'tea.md': `${TEXT}main\n` })
    await importing(folder)
    git(folder, ['merge', '-q', '-s', 'ours', '-m', 'merge', 'side'], signature('2024-05-04T12:00:00Z'))
    expect(await importing(folder)).to.deep.include({ reading: 'pages', pages: ['en tea'], newRevisions: 1 })
    await expectFresh(folder)
  })

  it('has other edits if a symbolic link leads to another file', async () => {
    const folder = repositoryOf({ 'tea.md': 'tea', 'cup.md': 'cup' })
    symlinkSync('tea.md', join(folder, 'link.md'))
    addStep(folder, 2, {})
    await importing(folder)
    const { items: before } = (await test.get('/pages/link/history')).body
    rmSync(join(folder, 'link.md'))
    symlinkSync('cup.md', join(folder, 'link.md'))
    addStep(folder, 3, {})
    await importing(folder)
    expect((await test.get('/pages/link')).body.markdown).to.equal('cup')
    expect((await test.get('/pages/link/history')).body.items[0].id).not.to.equal(before[0].id)
    await expectFresh(folder)
  })

  it('has the former path of a page that another page, now hidden, has left since', async () => {
    const OTHER = TEXT.replaceAll('tea', 'coffee')
    const folder = repositoryOf({ 'x.md': TEXT }, { 'x.md': null, 'b.md': TEXT }, { 'x.md': OTHER })
    await importing(folder)
    addStep(folder, 4, { 'x.md': null, 'c.md': `---\ndraft: true\n---\n${OTHER}` })
    expect(await importing(folder)).to.deep.include({ reading: 'pages', pages: ['en b', 'en c'] })
    await expectFresh(folder)
  })

  it('is everything after a rewritten history, other options, another configuration or other names of authors', async () => {
    const folder = repositoryOf({ 'docs/tea.md': TEXT, 'docs/fr/tea.md': TEXT }, { 'docs/tea.md': 'two' })
    await importing(folder)
    git(folder, ['commit', '-q', '--amend', '-m', 'amended'], signature('2024-05-02T13:00:00Z'))
    expect((await importing(folder)).reading).to.equal('all')
    await expectFresh(folder)
    addStep(folder, 3, { 'mkdocs.yml': 'site_name: Tea\n' })
    expect((await importing(folder)).reading).to.equal('all')
    await clearWorld()
    await importing(folder)
    addStep(folder, 4, { '.mailmap': 'Ada Lovelace <ada@tea.example>\n' })
    expect(await importing(folder)).to.deep.include({ reading: 'all', newRevisions: 0, changedRevisions: 3 })
    await expectFresh(folder)
    expect((await importing(folder, { defaultLocale: 'de' })).reading).to.equal('all')
    expect((await importing(folder, { defaultLocale: 'de' })).reading).to.equal('nothing')
    expect((await importing(folder, { defaultLocale: 'de', ref: 'main~1' })).reading).to.equal('all')
    await expectFresh(folder, { defaultLocale: 'de', ref: 'main~1' })
    expect((await importing(folder, { keepsMissing: true })).reading).to.equal('all')
    expect((await importing(folder)).reading).to.equal('all')
  })

  it('a configuration that moves all pages leaves their former paths, also when everything is read again', async () => {
    const folder = repositoryOf({ 'docs/tea.md': TEXT, 'docs/fr/tea.md': TEXT, 'docs/cup.md': 'x' })
    await importing(folder)
    addStep(folder, 2, { 'mkdocs.yml': 'site_name: Tea\n', 'docs/tea.md': `${TEXT}more\n` })
    for (const [files, reading] of [
      [{}, 'all'],
      [{ 'docs/tea.md': 'other' }, 'commits'],
      [{ 'docs/new.md': 'x', '.mailmap': 'Ada Lovelace <ada@tea.example>\n' }, 'all'],
    ] as [Files, string][]) {
      commit(folder, files)
      expect((await importing(folder)).reading).to.equal(reading)
      const { status, headers } = await test.get('/pages/docs%2Ftea')
      expect(status).to.equal(404)
      expect(headers.link).to.match(/\/pages\/tea\?locale=en>; rel="successor-version"/)
    }
    await freeConflictingPaths()
    commit(folder, { 'docs/cup.md': 'y' })
    await importing(folder)
    expect((await test.get('/pages/docs%2Ftea')).headers.link).to.include('successor')
    expect((await test.get('/pages/tea/history')).body.items).to.have.length(3)
    expect((await test.get('/pages/docs%2Fnew')).headers.link).to.not.include('successor')
    expect((await test.get('/pages/docs%2Ftea?locale=fr')).headers.link).to.include('successor')
    await importing(folder, { prefix: 'wiki' })
    for (const path of ['docs%2Ftea', 'tea'])
      expect((await test.get(`/pages/${path}`)).headers.link).to.match(/\/pages\/wiki%2Ftea\?/)
  })

  it('is everything if links embed other images; pages that they name do not matter', async () => {
    const folder = repositoryOf({
      'Home.md': 'See [[Tea]] [[Mate]] [[cup.png]]',
      '_Sidebar.md': 'x',
      'drinks/Tea.md': TEXT,
    })
    await importing(folder)
    addStep(folder, 2, { 'drinks/Tea.md': `${TEXT}more\n` })
    expect((await importing(folder)).reading).to.equal('commits')
    addStep(folder, 3, { 'Mate.md': 'Another tea' })
    expect((await importing(folder)).reading).to.equal('commits')
    addStep(folder, 4, { 'img/cup.png': 'x' })
    expect(await importing(folder)).to.deep.include({ reading: 'all', changedRevisions: 1 })
    await expectFresh(folder)
  })

  it('is everything if other links tell of which repository a wiki is', async () => {
    const link = (name: string) => `[x](https://github.com/ada/${name}/wiki/Mate)`
    const folder = repositoryOf({ 'Home.md': link('teas').repeat(2), 'Mate.md': link('pots') })
    await importing(folder)
    expect((await test.get('/pages/index')).body.markdown).to.equal('[x](/en/Mate)'.repeat(2))
    addStep(folder, 2, { 'Mate.md': `${link('pots')} more` })
    expect((await importing(folder)).reading).to.equal('commits')
    addStep(folder, 3, { 'Mate.md': link('pots').repeat(3) })
    expect((await importing(folder)).reading).to.equal('all')
    expect((await test.get('/pages/index')).body.markdown).to.equal(link('teas').repeat(2))
    await expectFresh(folder)
  })

  it('is everything if the title of a section with a label changes: texts of Sphinx show it', async () => {
    const folder = newRepository()
    const tea = (title: string, more = '') => `.. _tea:\n\n${title}\n=====\n${more}`
    commit(folder, { 'conf.py': "html_theme = 'x'\n", 'tea.rst': tea('Green'), 'a.rst': 'See :ref:`tea`.' })
    await importing(folder)
    commit(folder, { 'tea.rst': tea('Green', '\nHot\n') })
    expect((await importing(folder)).reading).to.equal('commits')
    commit(folder, { 'tea.rst': tea('Black') })
    expect((await importing(folder)).reading).to.equal('all')
    expect((await test.get('/pages/a')).body.markdown).to.equal('See [Black](/en/tea#black).\n')
    await expectFresh(folder)
  })

  it('is read again if another source has taken a page', async () => {
    const folder = repositoryOf({ 'tea.md': TEXT, 'cup.md': 'x' })
    await importing(folder)
    const other = repositoryOf({ 'tea.md': 'other' })
    await runImport(owner, (stored) => openGitSource(other, { layouts: [], stored: () => stored }), {
      from: { name: 'other', adopt: true },
    })
    addStep(folder, 2, { 'tea.md': `${TEXT}more\n` })
    expect((await importing(folder)).reading).to.equal('all')
    expect((await test.get('/pages/tea')).body.markdown).to.equal('other')
  })

  it('knows a last edit that is too long to store', async () => {
    const folder = repositoryOf({ 'tea.md': 'x', 'cup.md': 'x' }, { 'tea.md': 'x'.repeat(8_388_609) })
    await importing(folder)
    addStep(folder, 1, { 'tea.md': 'short' })
    expect((await importing(folder)).reading).to.equal('pages')
    const { items } = (await test.get('/pages/tea/history')).body
    expect(items[0].created_at).to.equal('2024-05-02T12:00:00.000000Z')
    await expectFresh(folder)
  })

  it('has the languages of live pages, and the default language', async () => {
    const folder = repositoryOf({ 'docs/fr/tea.md': 'x', 'docs/tea.md': TEXT })
    const options = { layouts: ['docs/{locale:fr}/{path}.md', 'docs/{path}.md'] }
    await importing(folder, options)
    addStep(folder, 2, { 'docs/tea.md': null })
    await importing(folder, options)
    const { locales } = (await test.get('/')).body
    expect(locales.map(({ locale }: { locale: string }) => locale)).to.deep.equal(['fr'])
    await expectFresh(folder, options)
    addStep(folder, 3, { 'docs/tea.md': 'back', 'docs/fr/tea.md': '---\ndraft: true\n---\nx' })
    expect((await importing(folder, options)).reading).to.equal('pages')
    await expectFresh(folder, options)
  })

  it('begins with the first import if no history is wanted, and with a date if one is set', async () => {
    const folder = repositoryOf({ 'tea.md': 'one', 'cup.md': TEXT, 'old.md': 'x' }, { 'tea.md': 'two' })
    addStep(folder, 3, { 'tea.md': 'three', 'old.md': null })
    const edits = async (path: string): Promise<string[]> =>
      (await test.get(`/pages/${path}/history`)).body.items?.map((item: { comment: string }) => item.comment)
    const none = { history: 'none' }
    expect(await importing(folder, none)).to.include({ reading: 'all', newRevisions: 3 })
    expect([await edits('tea'), await edits('cup')]).to.deep.equal([['step 3'], ['step 1']])
    expect((await test.get('/pages/cup')).body.revision.created_at).to.equal('2024-05-01T12:00:00.000000Z')
    await expectFresh(folder, none)
    addStep(folder, 4, { 'tea.md': 'four', 'cup.md': null, 'mug.md': TEXT })
    expect(await importing(folder, none)).to.include({ reading: 'pages', newRevisions: 2 })
    addStep(folder, 5, { 'tea.md': 'five' })
    expect(await importing(folder, none)).to.include({ reading: 'commits', newRevisions: 1 })
    expect(await importing(folder, none)).to.include({ reading: 'nothing' })
    expect(await edits('tea')).to.deep.equal(['step 5', 'step 4', 'step 3'])
    expect(await edits('mug')).to.deep.equal(['step 4', 'step 1'])
    const since = { history: 'since=2024-05-02' }
    expect(await importing(folder, since)).to.include({ reading: 'all', newRevisions: 2 })
    expect(await edits('tea')).to.deep.equal(['step 5', 'step 4', 'step 3', 'step 2', 'step 1'])
    await expectFresh(folder, since)
    expect(await importing(folder, { history: 'since=2024-05-03T14:00:00+02:00' })).to.include({
      reading: 'all',
      newRevisions: 0,
    })
    expect(await edits('tea')).to.deep.equal(['step 5', 'step 4', 'step 3'])
    for (const history of ['', 'some', 'since', 'since=', 'since=2024-02-30', 'since=2024-01-01T00:00'])
      expect(String(await openGitSource(folder, { layouts: [], history }).catch((error) => error))).to.equal(
        `UsageError: --history must be all, none or since= and a date, such as since=2024-01-31, not "${history}".`,
      )
  })

  for (const [seed, third] of [
    [21, null],
    [22, 10],
  ] as const) {
    const of = third === null ? 'all' : 'what is later than a third of it'
    it(`of a random history is the same as an import of ${of} (${seed})`, async () => {
      const count = Number(LECTERN_TEST_COMMITS)
      const { folder, commits } = randomRepository(seed, {
        commits: count,
        extra: new Map([[Math.floor(count / 2), ['.mailmap', 'Ada Lovelace <ada@tea.example>\n']]]),
      })
      const random = randomNumbers(seed)
      const since = third && git(folder, ['log', '-1', '--format=%cI', commits[third]!.hash]).trim()
      const options = { layouts: RANDOM_LAYOUTS, history: since ? `since=${since}` : 'all' }
      const points: number[] = []
      for (let at = 3; at < count; at += 1 + random(6)) points.push(at)
      const compared = new Map<number, string[]>()
      const readings = new Map<string, number>()
      for (const at of points) {
        const { reading } = await importing(folder, { ...options, ref: commits[at]!.hash })
        readings.set(reading, (readings.get(reading) ?? 0) + 1)
        if (random(Math.ceil(points.length / Number(LECTERN_TEST_POINTS))) === 0 || at === points.at(-1))
          compared.set(at, await storedContent(owner))
      }
      for (const [at, followed] of compared) {
        await clearWorld()
        await importing(folder, { ...options, ref: commits[at]!.hash })
        expectSame(followed, await storedContent(owner), `commit ${at}`)
      }
      expect(readings.get('all')).to.be.greaterThan(1)
      expect((readings.get('pages') ?? 0) + (readings.get('commits') ?? 0)).to.be.greaterThan(1)
      if (process.env.LECTERN_TEST_COMMITS) console.log(points.length, compared.size, readings)
    })
  }
})

/** Fails with the rows that differ. The number of the source does not count. */
const expectSame = (followed: string[], fresh: string[], message: string): void => {
  const [rows, wanted] = [followed, fresh].map((all) =>
    all.map((row) => row.replace(/"source_id": \d+/, '"source_id": 0')),
  ) as [string[], string[]]
  const [has, wants] = [new Set(rows), new Set(wanted)]
  expect(
    {
      more: rows.filter((row) => !wants.has(row)),
      less: wanted.filter((row) => !has.has(row)),
    },
    message,
  ).to.deep.equal({ more: [], less: [] })
}
