import { type GitOptions, openGitSource } from '@lectern/import-files/git/source'
import type { PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { commit, type Files, git, merge, newRepository, take } from '../../../test/support/git.ts'
import { storedContent } from '../../../test/support/importing.ts'
import {
  RANDOM_LAYOUTS,
  type RandomCommit,
  randomRepository,
} from '../../../test/support/random-repository.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const { owner } = await testDatabase()

const TEXT = Array.from({ length: 30 }, (_, i) => `Line ${i} is about tea, and nothing else`).join('\n')
/** A text that git finds similar to TEXT. */
const similar = (line: string): string => `${TEXT}\n${line}\n`
const OTHER = Array.from({ length: 20 }, (_, i) => `${i} spoons of sugar, and no milk`).join('\n')

/** Commits each step in turn, a day apart. */
const repositoryOf = (...steps: Files[]): string => {
  const folder = newRepository()
  for (const [i, files] of steps.entries()) addStep(folder, i + 1, files)
  return folder
}

const addStep = (folder: string, day: number, files: Files): string =>
  commit(folder, files, { at: dayOf(day), message: `step ${day}` })

const dayOf = (day: number): string => `2024-05-${String(day).padStart(2, '0')}T12:00:00Z`

const steps = (page: PageRecord): string[] => page.revisions.map(({ comment }) => comment)

const merging = (folder: string, day: number, branch: string, files: Files): void =>
  merge(folder, [branch], files, { at: dayOf(day), message: `step ${day}` })

describe('import git: a renamed page keeps its edits', () => {
  it('through several renames, also of the case alone', async () => {
    const folder = repositoryOf(
      { 'tea.md': TEXT },
      { 'tea.md': similar('more') },
      { 'tea.md': null, 'Tea.md': similar('more') },
      { 'Tea.md': null, 'drinks/green tea.md': similar('even more') },
    )
    const { pages, page, formerPaths, notes } = await take(folder)
    expect(pages).to.have.length(1)
    expect(steps(page('drinks/green tea'))).to.deep.equal(['step 1', 'step 2', 'step 3', 'step 4'])
    expect(page('drinks/green tea').state).to.equal('live')
    expect(formerPaths('drinks/green tea')).to.deep.equal(['en Tea', 'en tea'])
    expect(notes).to.match(
      /Pages whose file was renamed.*: 1, first tea\.md → Tea\.md → drinks\/green tea\.md/,
    )
  })

  it('and back again', async () => {
    const folder = repositoryOf(
      { 'tea.md': TEXT },
      { 'tea.md': null, 'cup.md': TEXT },
      { 'cup.md': null, 'tea.md': TEXT },
    )
    const { pages, page, formerPaths } = await take(folder)
    expect(pages).to.have.length(1)
    expect(steps(page('tea'))).to.deep.equal(['step 1', 'step 2', 'step 3'])
    expect(formerPaths('tea')).to.deep.equal(['en cup'])
  })

  it('into another folder, language or layout', async () => {
    const folder = repositoryOf(
      { 'docs/tea.md': TEXT, 'docs/cup.md': OTHER },
      { 'docs/tea.md': null, 'docs/en/tea.md': TEXT, 'docs/cup.md': null, 'docs/fr/cup.md': OTHER },
    )
    const { pages, page, formerPaths } = await take(folder, {
      layouts: ['docs/{locale:en|fr}/{path}.md', 'docs/{path}.md'],
    })
    expect(pages).to.have.length(2)
    expect(steps(page('tea'))).to.deep.equal(['step 1', 'step 2'])
    expect(formerPaths('tea')).to.deep.equal([])
    expect(steps(page('cup', 'fr'))).to.deep.equal(['step 1', 'step 2'])
    expect(formerPaths('cup', 'fr')).to.deep.equal(['en cup'])
  })

  it('while two pages swap their paths', async () => {
    const folder = repositoryOf(
      { 'a.md': TEXT, 'b.md': OTHER },
      { 'a.md': OTHER, 'b.md': TEXT },
      { 'a.md': `${OTHER}\nlast` },
    )
    const { page, formerPaths } = await take(folder)
    expect(page('a').revisions.map(({ markdown }) => markdown)).to.deep.equal([
      OTHER,
      OTHER,
      `${OTHER}\nlast`,
    ])
    expect(page('b').revisions.map(({ markdown }) => markdown)).to.deep.equal([TEXT, TEXT])
    expect(formerPaths('a')).to.deep.equal(['en b'])
    expect(formerPaths('b')).to.deep.equal(['en a'])
  })

  it('while each of three pages takes the path of the next, and a fourth one ends', async () => {
    const texts = ['one', 'two', 'three'].map((word) => TEXT.replaceAll('tea', word))
    const folder = repositoryOf(
      { 'a.md': texts[0]!, 'b.md': texts[1]!, 'c.md': texts[2]! },
      { 'a.md': null, 'b.md': texts[0]!, 'c.md': texts[1]!, 'd.md': texts[2]! },
    )
    const { pages, page } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['b', 'c', 'd'])
    for (const [i, path] of ['b', 'c', 'd'].entries())
      expect(page(path).revisions.map(({ markdown }) => markdown)).to.deep.equal([texts[i], texts[i]])
  })

  it('with a redirect at its former path, made in the same commit', async () => {
    const folder = repositoryOf(
      { 'tea.md': TEXT },
      { 'tea.md': 'See [green tea](green-tea.md)', 'green-tea.md': TEXT },
    )
    const { page, formerPaths } = await take(folder)
    expect(steps(page('green-tea'))).to.deep.equal(['step 1', 'step 2'])
    expect(steps(page('tea'))).to.deep.equal(['step 2'])
    expect(formerPaths('green-tea')).to.deep.equal(['en tea'])
  })

  it('but a redirect that the site declares leads from its former path', async () => {
    const redirects =
      'old.md: new/over.md#a, README.md: new/over.md, x/README.md: new/ref.md, y.md: "https://a.b"'
    const { formerPaths, page } = await take(
      repositoryOf(
        { 'mkdocs.yml': '', 'docs/old.md': TEXT, 'docs/new/over.md': OTHER },
        {
          'mkdocs.yml': `plugins:\n  - redirects: { redirect_maps: { ${redirects} } }`,
          ...{ 'docs/old.md': null, 'docs/new/ref.md': TEXT },
        },
      ),
    )
    expect(steps(page('new/ref'))).to.deep.equal(['step 1', 'step 2'])
    expect(formerPaths('new/ref')).to.deep.equal(['en x'])
    expect(formerPaths('new/over')).to.deep.equal(['en old'])
  })

  it('when another page begins at its former path, or its own path had another page before', async () => {
    const folder = repositoryOf(
      { 'tea.md': TEXT, 'cup.md': OTHER },
      { 'cup.md': null },
      { 'tea.md': null, 'cup.md': TEXT },
      { 'tea.md': 'new' },
      { 'tea.md': 'newer' },
    )
    const { pages, page } = await take(folder)
    expect(pages).to.have.length(2)
    expect(steps(page('cup'))).to.deep.equal(['step 1', 'step 1', 'step 3'])
    expect(steps(page('tea'))).to.deep.equal(['step 4', 'step 5'])
  })

  it('not a copy, a text that is mostly different, or a file that is deleted before the other begins', async () => {
    const folder = repositoryOf(
      { 'a.md': TEXT, 'b.md': TEXT.replaceAll('tea', 'pots'), 'c.md': TEXT.replaceAll('tea', 'cups') },
      { 'copy.md': TEXT, 'b.md': null, 'different.md': OTHER, 'c.md': null },
      { 'later.md': TEXT.replaceAll('tea', 'cups') },
    )
    const { page, formerPaths } = await take(folder)
    expect(steps(page('copy'))).to.deep.equal(['step 2'])
    expect(steps(page('different'))).to.deep.equal(['step 2'])
    expect(steps(page('later'))).to.deep.equal(['step 3'])
    expect(steps(page('a'))).to.deep.equal(['step 1'])
    for (const deleted of ['b', 'c']) expect(page(deleted).state).to.equal('deleted')
    for (const path of ['copy', 'different', 'later']) expect(formerPaths(path)).to.deep.equal([])
  })

  it('not to a file that is no page; when that file returns, it is the page that it was', async () => {
    const folder = repositoryOf(
      { 'docs/tea.md': TEXT },
      { 'docs/tea.md': null, 'drafts/tea.md': TEXT },
      { 'drafts/tea.md': null, 'docs/tea.md': similar('back') },
    )
    const layouts = ['docs/{path}.md']
    expect((await take(folder, { layouts, ref: 'main~1' })).page('tea').state).to.equal('deleted')
    const { pages, page } = await take(folder, { layouts })
    expect(pages).to.have.length(1)
    expect(steps(page('tea'))).to.deep.equal(['step 1', 'step 3'])
  })

  it('when its kind of file changes; of two pages that become one, the one whose text is shown', async () => {
    const folder = repositoryOf(
      { 'tea.md': TEXT, 'sugar.md': OTHER, 'mate.md': TEXT.replaceAll('tea', 'mate') },
      { 'mate.md': null, 'mate.mdx': similar('x').replaceAll('tea', 'mate') },
      { 'tea.md': null, 'sugar.md': null, 'menu.md': TEXT, 'menu.mdx': OTHER },
    )
    const { page, formerPaths } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
    expect(steps(page('mate'))).to.deep.equal(['step 1', 'step 2'])
    expect(page('menu').revisions.map(({ markdown }) => markdown)).to.deep.equal([TEXT, TEXT])
    expect(formerPaths('menu')).to.deep.equal(['en tea'])
    expect(page('sugar').state).to.equal('deleted')
  })

  it('not to a page that exists already, nor while its former path shows another file', async () => {
    const folder = repositoryOf(
      { 'a.md': TEXT, 'a.mdx': 'other', 'b.md': OTHER, 'c.md': 'old' },
      { 'a.md': null, 'd.md': TEXT, 'b.md': null, 'c.mdx': OTHER },
    )
    const { page } = await take(folder, { layouts: ['{path}.md', '{path}.mdx'] })
    expect(steps(page('a'))).to.deep.equal(['step 1', 'step 2'])
    expect(steps(page('d'))).to.deep.equal(['step 2'])
    expect(steps(page('c'))).to.deep.equal(['step 1'])
    expect(page('b').state).to.equal('deleted')
  })

  it('in a move of 1,300 files, of which some change a little', async () => {
    const text = (i: number) =>
      `# Page ${i}\n\n${Array.from({ length: 9 }, (_, n) => `${i} ${n}`).join('\n')}\n`
    const numbers = Array.from({ length: 1300 }, (_, i) => i)
    const named = (folder: string, i: number) => `${folder}/${i % 40}/${i < 40 ? 'index' : `p${i}`}.md`
    const folder = repositoryOf(
      Object.fromEntries(numbers.map((i) => [named('docs', i), text(i)])),
      Object.fromEntries(
        numbers.flatMap((i) => [
          [named('docs', i), null],
          [named('docs/en', i), i % 3 === 0 ? `${text(i)}new\n` : text(i)],
        ]),
      ),
    )
    const { pages } = await take(folder)
    expect(pages).to.have.length(1300)
    for (const page of pages) expect(steps(page), page.path).to.deep.equal(['step 1', 'step 2'])
  })

  it('and the text of a commit of a file without a layout is no page', async () => {
    const folder = repositoryOf({ 'a.txt': TEXT }, { 'a.txt': null, 'a.md': TEXT })
    const { page } = await take(folder)
    expect(steps(page('a'))).to.deep.equal(['step 2'])
  })
})

describe('import git: a page that is renamed on a branch', () => {
  const branched = (): string => {
    const folder = repositoryOf({ 'tea.md': TEXT, 'x.md': 'x' })
    git(folder, ['checkout', '-q', '-b', 'side'])
    return folder
  }

  it('has the edits of both branches after they are merged', async () => {
    const folder = branched()
    addStep(folder, 2, { 'tea.md': null, 'drinks/tea.md': TEXT })
    git(folder, ['checkout', '-q', 'main'])
    addStep(folder, 3, { 'tea.md': similar('edited') })
    merging(folder, 4, 'side', {})
    const { pages, page, formerPaths } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['drinks/tea', 'x'])
    expect(steps(page('drinks/tea'))).to.deep.equal(['step 1', 'step 2', 'step 3'])
    expect(page('drinks/tea').revisions.at(-1)!.markdown.trim()).to.equal(similar('edited').trim())
    expect(formerPaths('drinks/tea')).to.deep.equal(['en tea'])
  })

  it('and differently on another one stays at the path that the merge keeps', async () => {
    for (const kept of ['a.md', 'b.md', 'c.md']) {
      const folder = branched()
      addStep(folder, 2, { 'tea.md': null, 'a.md': TEXT })
      git(folder, ['checkout', '-q', 'main'])
      addStep(folder, 3, { 'tea.md': null, 'b.md': similar('b') })
      merging(folder, 4, 'side', { 'a.md': null, 'b.md': null, [kept]: similar('b') })
      const { pages, page } = await take(folder)
      expect(
        pages.map(({ path }) => path),
        kept,
      ).to.deep.equal([kept.slice(0, 1), 'x'])
      expect(steps(page(kept.slice(0, 1))).slice(0, 3), kept).to.deep.equal(['step 1', 'step 2', 'step 3'])
    }
  })

  it('if a merge keeps both new paths, the page of the first parent has the edits before', async () => {
    const folder = branched()
    addStep(folder, 2, { 'tea.md': null, 'a.md': TEXT })
    git(folder, ['checkout', '-q', 'main'])
    addStep(folder, 3, { 'tea.md': null, 'b.md': similar('b') })
    merging(folder, 4, 'side', { 'a.md': TEXT, 'b.md': similar('b') })
    const { page } = await take(folder)
    expect(steps(page('b'))).to.deep.equal(['step 1', 'step 2', 'step 3'])
    expect(steps(page('a'))).to.deep.equal(['step 4'])
    expect(page('a').revisions[0]!.markdown).to.equal(TEXT)
  })

  it('and in the merge itself takes its edits along', async () => {
    const folder = branched()
    addStep(folder, 2, { 'x.md': 'y' })
    git(folder, ['checkout', '-q', 'main'])
    addStep(folder, 3, { 'tea.md': similar('edited') })
    merging(folder, 4, 'side', { 'tea.md': null, 'new.md': similar('edited') })
    const { pages, page } = await take(folder)
    expect(pages.map(({ path }) => path)).to.deep.equal(['new', 'x'])
    expect(steps(page('new')).slice(0, 2)).to.deep.equal(['step 1', 'step 3'])
  })
})

describe('import git: renames at every commit of a random history', () => {
  it('guests see the texts of the tree, and no edit is lost', async () => {
    const { folder, commits } = randomRepository(1, { commits: 22 })
    const editsAt = new Map<RandomCommit, Set<string>>()
    let moved = 0
    for (const [number, one] of commits.entries()) {
      const { pages, formerPaths } = await take(folder, { ref: one.hash, layouts: RANDOM_LAYOUTS })
      for (const page of pages) {
        moved += formerPaths(page.path, page.locale)!.length
        expectShown(page, one, `commit ${number}: ${page.locale} ${page.path}`)
      }
      const edits = pages.flatMap(({ revisions }) =>
        revisions.map(({ title, ...revision }) => JSON.stringify(revision)),
      )
      editsAt.set(one, new Set(edits))
      if ([...one.files.values()].some(({ isLink }) => isLink)) continue
      expect(new Set(edits), `commit ${number}: each edit once`).to.have.property('size', edits.length)
      for (const parent of one.parents) {
        if ([...parent.files.values()].some(({ isLink }) => isLink)) continue
        for (const edit of editsAt.get(parent)!)
          expect(edits.includes(edit), `commit ${number} has ${edit}`).to.equal(true)
      }
    }
    expect(moved).to.be.greaterThan(3)
  })
})

/** The file of a page in a commit, by the order of the layouts; undefined if there is none. */
const fileOf = ({ path, locale }: PageRecord, { files }: RandomCommit): string | undefined => {
  const english = path.startsWith('fr/') ? [] : [`docs/${path}.md`]
  const names = locale === 'fr' ? [`docs/fr/${path}.md`] : [...english, `docs/${path}.mdx`]
  const name = names.find((one) => files.has(one))
  const file = name === undefined ? undefined : files.get(name)
  return file?.isLink ? files.get(`docs/${file.text}`)?.text : file?.text
}

const expectShown = (page: PageRecord, one: RandomCommit, message: string): void => {
  const text = fileOf(page, one)
  const last = page.revisions
    .toSorted((a, b) => (`${a.created_at} ${a.id}` < `${b.created_at} ${b.id}` ? -1 : 1))
    .at(-1)
  const wanted = text === undefined ? 'deleted' : text.includes('draft: true') ? 'draft' : 'live'
  expect(page.state, message).to.equal(wanted)
  if (text !== undefined) expect(last?.markdown, message).to.equal(text.replace(/^---\n[\s\S]*?---\n/, ''))
}

describe('import git: imports of two refs, with renames', () => {
  withService()
  beforeEach(clearWorld)

  const importing = async (folder: string, options: Partial<GitOptions>) => {
    const { summary } = await runImport(
      owner,
      (stored) =>
        openGitSource(folder, {
          layouts: RANDOM_LAYOUTS,
          name: 'Tea Wiki',
          ...options,
          stored: () => stored,
        }),
      { from: { name: 'main', isConfirmed: true } },
    )
    return summary
  }

  it('an older one then a newer one, and the reverse, give the same as one import', async () => {
    const { folder, commits } = randomRepository(14, { commits: 80 })
    const refs = [30, 55, 79].map((number) => commits[number]!.hash)
    const wanted: unknown[] = []
    for (const ref of refs) {
      await clearWorld()
      await importing(folder, { ref })
      wanted.push(await storedContent(owner))
    }
    await clearWorld()
    let moved = 0
    for (const index of [0, 1, 2, 1, 0, 2]) {
      moved += (await importing(folder, { ref: refs[index]! })).movedRevisions
      expect(await storedContent(owner), `ref ${index}`).to.deep.equal(wanted[index])
    }
    expect(moved).to.be.greaterThan(0)
  })
})
