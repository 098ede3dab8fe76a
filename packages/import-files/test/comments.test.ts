import { withoutMarkdownComments } from '@lectern/import-files/files/comments'
import { openFolderSource } from '@lectern/import-files/folder/source'
import { expect } from 'chai'
import { newNotesFolder, writeFiles } from '../../../test/support/folder.ts'
import { commit, type Files, newRepository, take } from '../../../test/support/git.ts'

const VAULT = { '.obsidian/app.json': '{}', 'Green tea.md': 'x', 'hidden.md': 'x' }
const PRIVATE =
  '# %%unseen%% Tea\n\nWater %%unseen [[hidden]] #unseen%% at 70 °C.\n\n%%\n```\nunseen\n\n%%\n\nSteep.\n'

const takeRepository = async (files: Files, layouts: string[] = []) => {
  const folder = newRepository()
  commit(folder, files)
  commit(folder, { 'tea.md': 'public' })
  return take(folder, { layouts })
}

describe('comments of Obsidian', () => {
  for (const [what, text, left] of [
    ['within a line', 'a %%b%% c', 'a  c'],
    ['several', '%%a%%b%%c%%d%%%%e', 'bde'],
    ['over lines and paragraphs', 'a\n\n%%\nb\n\nc\n%%\n\nd', 'a\n\n\n\nd'],
    ['without an end', 'a\n\nb %% c\n\nd', 'a\n\nb '],
    ['with a fence in it', '%%\n```\n%%\n\na %%b%%', '\n\na '],
    ['with a backtick in it', '%%a ` b%% c `d`', ' c `d`'],
    ['after a fence in a quotation that has no end', '> ```\n> a\n\nb %%c%%', '> ```\n> a\n\nb '],
    ['after a fence in an item that has no end', '- ```\n  a\n\nb %%c%%', '- ```\n  a\n\nb '],
    ['between backticks of two items', '- a ` b\n- %%c%% ` d', '- a ` b\n-  ` d'],
    ['between backticks of two paragraphs', 'a `\n\n%%b%% `', 'a `\n\n `'],
    ['in the paragraphs of an item', '- a\n\n    b %%c%%', '- a\n\n    b '],
    ['in the paragraphs of a footnote', '[^1]: a\n\n    b %%c%%', '[^1]: a\n\n    b '],
    ['in a quotation', '> %%\n> a\n> %%\n> b', '> \n> b'],
    ['in a callout', '> [!note] %%a%%\n> b', '> [!note] \n> b'],
    ['in a table', '| a |\n|---|\n| %%b%% |', '| a |\n|---|\n|  |'],
    ['behind a line that would be code', 'a\n    ```\n%%b%%', 'a\n    ```\n'],
    ['with Windows line ends', 'a\r\n\r\n%%\r\nb\r\n%%\r\n\r\nc', 'a\r\n\r\n\r\n\r\nc'],
    ['behind a backslash', '\\%\\%a', '\\%\\%a'],
  ] as const)
    it(`go: ${what}`, () => {
      expect(withoutMarkdownComments(text).markdown).to.equal(left)
    })

  for (const [what, text] of [
    ['a code span', '`%%a%%` and `` ` %%b%% ``'],
    ['a code span over two lines', 'a `%%b\n%%` c'],
    ['a fence', '```\n%%a%%\n```\n\n~~~ js\n%%\n~~~'],
    ['a fence in an item', '- a\n\n    ```\n    %%b%%\n    ```\n\n1. ~~~\n   %%c\n   ~~~'],
    ['a fence in a quotation', '> ```\n> %%a\n> ```'],
    ['a fence without an end', 'a\n```\n%%b'],
    ['indented code', 'a\n\n    %%b\n\n    c'],
    ['indented code of an item', '- a\n\n      %%b'],
    ['preformatted HTML', '<pre>\n%%a\n</pre>'],
  ] as const)
    it(`stay text in ${what}`, () => {
      expect(withoutMarkdownComments(text)).to.deep.equal({ markdown: text, isOpen: false })
    })

  for (const [what, text, left] of [
    ['several', 'a {>>b<<}{>>c\n\n`d<<} `{>>e<<}`', 'a  `{>>e<<}`'],
    ['without an end, which stay', 'a{>>b<<} {>>c', 'a {>>c'],
  ] as const)
    it(`remarks of CriticMarkup go: ${what}`, async () => {
      expect(withoutMarkdownComments(text, '{>>').markdown).to.equal(left)
      const { pages } = await takeRepository({ 'mkdocs.yml': 'site_name: x', 'docs/a.md': text })
      expect(pages.find(({ path }) => path === 'a')!.revisions[0]!.markdown).to.equal(left)
    })

  it('leave nothing in any record: texts of all revisions, titles, categories', async () => {
    const { pages, categories } = await takeRepository({ ...VAULT, 'tea.md': PRIVATE })
    expect(pages.find(({ path }) => path === 'tea')!.revisions).to.have.length(2)
    expect(JSON.stringify([pages, categories])).to.not.match(/unseen|%%|hidden\)/)
    expect(JSON.stringify(pages)).to.include('Water  at 70 °C.')
  })

  it('go from a folder, and with a layout that the user has set', async () => {
    const folder = newNotesFolder()
    writeFiles(folder, { ...VAULT, 'tea.md': PRIVATE })
    for (const layouts of [[], ['{path}.md']]) {
      const records = []
      for await (const record of (await openFolderSource(folder, { layouts })).records) records.push(record)
      expect(JSON.stringify(records)).to.include('Steep.').and.not.include('unseen')
      const { pages } = await takeRepository({ ...VAULT, 'tea.md': PRIVATE }, layouts)
      expect(JSON.stringify(pages)).to.include('Steep.').and.not.include('unseen')
    }
  })

  it('are text outside of a vault', async () => {
    const { page } = await takeRepository({ 'tea.md': '%%a%% b', 'Home.md': 'x', '_Sidebar.md': 'x' })
    expect(page('tea').revisions[0]!.markdown).to.equal('%%a%% b')
  })

  it('an open one is noted with its file', async () => {
    const { notes } = await takeRepository({ ...VAULT, 'mate.md': 'Half of it: 50%% off.' })
    expect(notes).to.match(/comment of Obsidian that has no end \(%%\).*: 1, first mate\.md at/)
  })

  it('are removed in linear time', () => {
    for (const part of ['%%a', '`%%`', '%% ```\n', '> ', '- ', '%% `\n\n', '>%%\n%%\n', '`a\n', '%%\n\na%%b'])
      withoutMarkdownComments(`${part.repeat(200_000)}%%`)
  })
})
