import { type GitOptions, openGitSource } from '@lectern/import-files/git/source'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { expect } from 'chai'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { failureOf } from '../../../test/support/failures.ts'
import { commit, git, newRepository, signature } from '../../../test/support/git.ts'
import { storedContent } from '../../../test/support/importing.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const { owner } = await testDatabase()

const expectRefused = async (run: Promise<unknown>, message: RegExp) =>
  expect((await failureOf(run)).message).to.match(message)

describe('import git: repeated imports', () => {
  const test = withService()
  beforeEach(clearWorld)

  const importing = async (folder: string, options: Partial<GitOptions> = {}) => {
    const { summary, source } = await runImport(owner, (stored: StoredContentQueries) =>
      openGitSource(folder, {
        layouts: [],
        name: 'Tea Wiki',
        keepsMissing: true,
        ...options,
        stored: () => stored,
      }),
    )
    test.service.invalidate()
    return { ...summary, notes: source.notes().join('\n') }
  }
  const languages = async () =>
    (await test.get('/')).body.locales.map(({ locale }: { locale: string }) => locale)
  const paths = async (locale: string) => {
    const { status, body } = await test.get(`/pages?locale=${locale}`)
    return status === 200 ? body.items.map(({ path }: { path: string }) => path) : status
  }
  const markdown = async (path: string) => (await test.get(`/pages/${path}`)).body.markdown
  const fresh = async (folder: string, options: Partial<GitOptions> = {}) => {
    await clearWorld()
    await importing(folder, options)
    return storedContent(owner)
  }

  it('a layout that is recognized later moves the pages', async () => {
    const folder = newRepository()
    commit(folder, { 'mkdocs.yml': 'site_name: Tea\n', 'docs/tea.md': 'x', 'docs/tea.fr.md': 'x' })
    await importing(folder, { layouts: ['{path}.md'] })
    expect(await paths('en')).to.deep.equal(['docs/tea', 'docs/tea.fr'])
    expect(await importing(folder)).to.include({ newRevisions: 0, movedRevisions: 2 })
    expect(await paths('en')).to.deep.equal(['tea'])
    expect(await paths('fr')).to.deep.equal(['tea'])
    expect(await importing(folder)).to.include({ newRevisions: 0, movedRevisions: 0 })
  })

  it('a tool that is recognized later: a warning names the options that keep the paths, unless no page moves', async () => {
    const folder = newRepository()
    const warning = async (files: Record<string, string | null>, options: Partial<GitOptions> = {}) => {
      commit(folder, files)
      const open = (stored: StoredContentQueries) =>
        openGitSource(folder, { layouts: [], ...options, stored: () => stored })
      const { source } = await runImport(owner, open, { from: { name: 'main' } })
      test.service.invalidate()
      return /because other layouts are recognized.*: (\d, first .*)/.exec(source.notes().join('\n'))?.[1]
    }
    const files = { 'docs/tea.md': 'x', 'docs/mate.md': 'x' }
    expect(await warning(files)).to.equal(undefined)
    const site = 'theme: { language: de }\n'
    expect(await warning({ 'mkdocs.yml': site })).to.equal("2, first --layout '{path}.md', --locale en")
    expect(await paths('de')).to.deep.equal(['mate', 'tea'])
    expect(await warning({ 'docs/tea.md': 'y' })).to.equal(undefined)
    await warning({ 'docs/tea.md': 'z' }, { layouts: ['{path}.md'], defaultLocale: 'en' })
    expect(await paths('en')).to.deep.equal(['docs/mate', 'docs/tea'])
    await warning({ 'docs/tea.md': 'x' })
    const languages = `${site}plugins: [{ i18n: { languages: [{ locale: de, default: true }, { locale: fr }] } }]\n`
    expect(await warning({ 'mkdocs.yml': languages, 'docs/tea.fr.md': 'x' })).to.equal(undefined)
    expect(await paths('fr')).to.deep.equal(['tea'])
  })

  it('a license that was set stays without --license, unless another source is named so', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    const license = 'https://license.example/x'
    const from = { name: 'main', isConfirmed: true }
    const run = (set: Partial<GitOptions>) =>
      runImport(owner, () => openGitSource(folder, { layouts: [], ...set }), { from })
    await run({ license })
    await run({})
    test.service.invalidate()
    expect((await test.get('/')).body.license).to.equal(license)
    await importing(folder) // of no source
    expect((await test.get('/')).body.license).to.not.equal(license)
  })

  it('a release of Docusaurus replaces the edits of its pages, but most pages go only with --yes', async () => {
    const folder = newRepository()
    const run = () => {
      const open = (stored: StoredContentQueries) =>
        openGitSource(folder, { layouts: [], stored: () => stored })
      return runImport(owner, open, { from: { name: 'main' } })
    }
    const release = (...files: string[]) =>
      commit(folder, Object.fromEntries(files.map((name) => [`versioned_docs/version-${name}.md`, 'x'])))
    commit(folder, { 'docusaurus.config.js': '', 'docs/a.md': 'x', 'docs/b.md': 'x', 'docs/c.md': 'x' })
    await run()
    release('1/a', '1/b', '1/c')
    expect((await run()).summary).to.deep.include({ newRevisions: 3 })
    release('2/a', '2/b')
    expect((await run()).summary.removed).to.deep.include({ pages: 1, revisions: 2 })
    release('3/d', '3/e')
    await expectRefused(run(), /^The import would remove 2 of 2 live pages/)
  })

  it('what the last --exclude left out is published only with --yes, also as the former file of a page', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x', 'Private/a.md': 'one two three' })
    const run = (exclude: string[], isConfirmed = false) => {
      const open = (stored: StoredContentQueries) =>
        openGitSource(folder, { layouts: [], exclude, stored: () => stored })
      return runImport(owner, open, { from: { name: 'main', isConfirmed } })
    }
    await expectRefused(run(['private/**']), /^Nothing matches --exclude 'private\/\*\*', so/)
    await run(['Private/**'])
    const refused = /^The import would publish 1 text that .* by --exclude 'Private\/\*\*'\. Nothing/
    await expectRefused(run([]), refused)
    commit(folder, { 'Private/a.md': null, 'mate.md': 'one two three' })
    await expectRefused(run(['private/**']), refused)
    await run(['Private/**'])
    await expectRefused(run([]), refused)
    test.service.invalidate()
    expect((await test.get('/pages/mate/history')).body.items).to.have.length(1)
    await run([], true)
    await run([])
    test.service.invalidate()
    expect((await test.get('/pages/mate/history')).body.items).to.have.length(2)
  })

  it('with explicitPublish, guests see only texts and edits with publish: true, until somebody confirms', async () => {
    const folder = newRepository()
    const marked = '---\npublish: true\n---\none'
    const run = (explicitPublish?: boolean, isConfirmed = false) => {
      const open = (stored: StoredContentQueries) =>
        openGitSource(folder, { layouts: [], explicitPublish, stored: () => stored })
      return runImport(owner, open, { from: { name: 'main', isConfirmed } })
    }
    const shown = async () => {
      test.service.invalidate()
      return [await paths('en'), (await test.get('/pages/a/history')).body.items?.length]
    }
    const files = { 'c.md': '---\npublish: false\n---\nx', 'd.md': '---\ndg-publish: yes\n---\nx' }
    commit(folder, { '.obsidian/app.json': '{}', 'a.md': 'one [[b]]', 'b.md': 'x', ...files })
    commit(folder, { 'a.md': `${marked} [[b]]`, 'e.md': '---\npublish: true\ndraft: true\n---\nx' })
    const ofHistory =
      'WARNING: earlier edits of the notes are public, too, and the messages of their commits; --history none and --no-messages leave them out'
    expect((await run()).source.notes()).to.include(ofHistory)
    expect(await shown()).to.deep.equal([['a', 'b', 'd'], 2])
    const { source } = await run(true)
    expect(source.notes()).to.not.include(ofHistory)
    expect(await shown()).to.deep.equal([['a', 'd'], 1])
    expect(source.notes()).to.include(
      'Pages that guests do not see, because their front matter has no publish: true: 1, first b.md',
    )
    commit(folder, { 'f.md': 'x', 'g.md': marked, 'b.md': null })
    await run(true)
    expect(await shown()).to.deep.equal([['a', 'd', 'g'], 1])
    const refused = /^The import would publish 1 text that .* by --explicit-publish\. Nothing/
    await expectRefused(run(), refused)
    commit(folder, { 'f.md': null })
    await expectRefused(run(false), refused)
    expect(await shown()).to.deep.equal([['a', 'd', 'g'], 1])
    await run(false, true)
    await run()
    expect(await shown()).to.deep.equal([['a', 'd', 'g'], 2])
  })

  it('what the settings of a vault excluded stays left out without them, unless somebody sets another layout', async () => {
    const folder = newRepository()
    const run = async (layouts: string[] = []) => {
      const open = (stored: StoredContentQueries) => openGitSource(folder, { layouts, stored: () => stored })
      const { source } = await runImport(owner, open, { from: { name: 'main', isConfirmed: true } })
      test.service.invalidate()
      return source.notes().join('\n')
    }
    const app = '.obsidian/app.json'
    const excluding = JSON.stringify({ userIgnoreFilters: ['Private/'] })
    const notes = { 'a.md': 'To [[b]].', 'b.md': 'To [[a]].', 'Private/c.md': '[[a]]', 'T/d.md': 'x' }
    commit(folder, { [app]: excluding, '.obsidian/templates.json': '{"folder": "T"}', ...notes })
    expect(await run()).to.not.include('missing or broken')
    const warning =
      'WARNING: settings of the vault that are missing or broken; what they excluded stays left out'
    for (const text of ['{', null]) {
      commit(folder, { [app]: text, '.obsidian/templates.json': text })
      for (const note of ['x', null]) {
        commit(folder, { 'e.md': note })
        expect(await run())
          .to.include(warning)
          .and.include('first .obsidian/')
      }
      expect(await paths('en')).to.deep.equal(['a', 'b'])
    }
    commit(folder, { [app]: '{}' })
    await run()
    expect(await paths('en')).to.deep.equal(['Private/c', 'a', 'b'])
    commit(folder, { [app]: null })
    await run(['obsidian'])
    expect(await paths('en')).to.deep.equal(['Private/c', 'T/d', 'a', 'b'])
    for (const [text, expected] of [
      [excluding, ['T/d', 'a', 'b']],
      [null, ['T/d', 'a', 'b']],
      ['{}', ['Private/c', 'T/d', 'a', 'b']],
    ] as const) {
      commit(folder, { [app]: text })
      expect((await run(['obsidian'])).includes('write {} into each')).to.equal(text === null)
      expect(await paths('en')).to.deep.equal(expected)
    }
  })

  it('a configuration that a commit breaks stops the import, unless it was invalid before', async () => {
    const folder = newRepository()
    const run = (files: Record<string, string | null>) => {
      commit(folder, files)
      const open = (stored: StoredContentQueries) =>
        openGitSource(folder, { layouts: [], stored: () => stored })
      return runImport(owner, open, { from: { name: 'main' } })
    }
    await run({ 'mkdocs.yml': 'nav: [', 'docs/tea.md': 'x' })
    await run({ 'docs/tea.md': 'y' })
    await run({ 'mkdocs.yml': 'site_name: Tea' })
    await expectRefused(
      run({ 'mkdocs.yml': 'site_name: Tea\nnav: [', 'docs/tea.md': 'z' }),
      /^The configuration of the site is invalid: mkdocs\.yml \(line 2: .*\)\. It was valid at the last import/,
    )
    test.service.invalidate()
    expect(await markdown('tea')).to.equal('y')
    await run({ 'mkdocs.yml': 'site_name: Green' })
    await run({ 'mkdocs.yml': null, 'zensical.toml': '[project]' })
    await expectRefused(run({ 'zensical.toml': '[project]\nnav = ' }), /: zensical\.toml \(line 2: Invalid/)
  })

  it('another --locale moves all pages to that language', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': '---\ntags: [hot]\n---\none', 'mate.md': 'x' }, { message: 'first' })
    commit(folder, { 'tea.md': '---\ntags: [hot]\n---\ntwo' }, { message: 'second' })
    await importing(folder)
    expect(await importing(folder, { defaultLocale: 'pt_BR' })).to.include({
      newRevisions: 0,
      changedRevisions: 0,
      movedRevisions: 3,
    })
    expect(await languages()).to.deep.equal(['pt-br'])
    expect(await paths('en')).to.equal(400)
    expect(await paths('pt-br')).to.deep.equal(['mate', 'tea'])
    expect((await test.get('/pages/tea/history?locale=pt-br')).body.items).to.have.length(2)
    expect((await test.get('/pages/tea?locale=pt-br')).body.markdown).to.equal('two')
    expect((await test.get('/search?q=two&locale=pt-br')).body.items).to.have.length(1)
    expect(
      (await test.get('/recent')).body.items.map((item: { page: { locale: string } }) => item.page.locale),
    ).to.deep.equal(['pt-br', 'pt-br', 'pt-br'])
    const again = await importing(folder, { defaultLocale: 'pt-br' })
    expect(again).to.include({ newRevisions: 0, changedRevisions: 0, movedRevisions: 0 })
    expect(again.notes).to.match(/^Pages whose title is the name of their file.*: 2, first mate.md, tea.md$/)
  })

  it('another --layout moves pages; pages that swap paths keep their own edits', async () => {
    const folder = newRepository()
    commit(folder, { 'docs/tea.md': 'one', 'docs/docs/tea.md': 'inner one', 'docs/mate.md': 'x' })
    commit(folder, { 'docs/tea.md': 'two', 'docs/docs/tea.md': 'inner two' })
    const wanted = await fresh(folder, { layouts: ['docs/{path}.md'] })
    for (const order of [['{path}.md'], ['docs/{path}.md'], ['{path}.md'], ['docs/{path}.md']]) {
      await importing(folder, { layouts: order })
    }
    expect(await storedContent(owner)).to.deep.equal(wanted)
    expect(await paths('en')).to.deep.equal(['docs/tea', 'mate', 'tea'])
    expect(await markdown('docs%2Ftea')).to.equal('inner two')
  })

  it('names pages that stay if a layout no longer matches their files', async () => {
    const folder = newRepository()
    commit(folder, { 'docs/tea.md': 'x', 'a.md': 'x', 'b.md': 'x', 'c.md': 'x', 'd.md': 'x', 'gone.md': 'x' })
    commit(folder, { 'gone.md': null })
    expect((await importing(folder)).absent).to.deep.equal({ pages: 0, first: [] })
    const { absent } = await importing(folder, { layouts: ['docs/{path}.md'] })
    expect(absent).to.deep.equal({
      pages: 4,
      first: ['a', 'b', 'c'].map((path) => ({ locale: 'en', path })),
    })
    expect(await paths('en')).to.deep.equal(['a', 'b', 'c', 'd', 'tea'])
  })

  it('an import of an older ref and then of a newer one gives the same as the newer one, with merges and wrong clocks', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'base', 'a.md': 'md' }, { at: '2024-05-02T12:00:00Z' })
    commit(folder, { 'tea.md': 'main', 'a.mdx': 'mdx' }, { at: '2024-05-01T12:00:00Z' })
    git(folder, ['checkout', '-q', '-b', 'side', 'main~1'])
    commit(folder, { 'tea.md': 'side' }, { at: '2024-05-09T12:00:00Z' })
    git(folder, ['checkout', '-q', 'main'])
    git(folder, ['merge', '-q', '-s', 'ours', '-m', 'merge', 'side'], signature('2024-05-04T12:00:00Z'))
    git(folder, ['tag', 'merged'])
    commit(folder, { 'tea.md': 'last', 'a.md': null }, { at: '2024-05-05T12:00:00Z' })
    const layouts = ['{path}.md', '{path}.mdx']
    const wanted = await fresh(folder, { layouts })
    expect(await markdown('tea')).to.equal('last')
    for (const first of ['main~2', 'side', 'merged']) {
      await clearWorld()
      // An import refuses a layout without files, and `side` has no .mdx yet.
      await importing(folder, { layouts: first === 'side' ? ['{path}.md'] : layouts, ref: first })
      if (first === 'merged') expect(await markdown('tea')).to.equal('main')
      await importing(folder, { layouts })
      expect(await storedContent(owner), first).to.deep.equal(wanted)
    }
  })

  it('after a rewritten history, names pages whose old edits stay, and pages that still show one', async () => {
    const folder = newRepository()
    for (const text of ['one', 'two', 'three']) {
      const files = { 'tea.md': text, 'mate.md': text }
      commit(folder, files, { at: '2024-05-02T12:00:00Z' })
    }
    await importing(folder)
    git(folder, ['reset', '-q', '--hard', 'HEAD~2'])
    commit(folder, { 'mate.md': 'other' }, { at: '2024-05-03T12:00:00Z' })
    const { notes } = await importing(folder)
    expect(await markdown('mate')).to.equal('other')
    expect(await markdown('tea')).to.equal('three')
    expect(notes)
      .to.match(/most of whose stored edits are not in this history .*: 1, first mate/)
      .and.match(/still show an edit that is not in this history .*: 1, first tea/)
  })

  it('waits for another import, and prints so', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    const open = (stored: StoredContentQueries) =>
      openGitSource(folder, { layouts: [], stored: () => stored })
    const client = await owner.connect()
    let ended: Promise<unknown>
    try {
      await client.query('begin')
      await client.query('lock table wiki.write_lock in exclusive mode')
      await new Promise<void>((resolve, reject) => {
        ended = runImport(owner, open, { onWait: resolve })
        ended.then(() => reject(new Error('The import did not wait')), reject)
      })
    } finally {
      await client.query('rollback')
      client.release()
    }
    await ended!
    test.service.invalidate()
    expect(await paths('en')).to.deep.equal(['tea'])
  })
})
