import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import {
  commit,
  git,
  gitFolder,
  newRepository,
  refusalOf,
  storedWithKnown,
  take,
} from '../../../test/support/git.ts'

/** The only revision of the only page that a single file gives. */
const revisionOf = async (content: string | Buffer, name = 'tea.md') => {
  const folder = newRepository()
  commit(folder, { [name]: content })
  const { pages, notes } = await take(folder, {
    layouts: [name.endsWith('.mdx') ? '{path}.mdx' : '{path}.md'],
  })
  expect(pages).to.have.length(1)
  return { ...pages[0]!.revisions[0]!, notes, state: pages[0]!.state }
}

describe('import git: front matter', () => {
  for (const [what, text, expected] of [
    [
      'in YAML gives title and tags, and is removed with the blank line after it',
      '---\ntitle: Green tea\ntags:\n  - Hot Drinks\n  - TEA\n---\n\n# Head\n\ntext\n',
      { title: 'Green tea', keys: ['hot-drinks', 'tea'], markdown: '# Head\n\ntext\n', notes: '' },
    ],
    [
      'in TOML gives title and tags, and is removed',
      '+++\ntitle = "Tea"\ntags = ["Hot"]\n+++\ntext\n',
      { title: 'Tea', keys: ['hot'], markdown: 'text\n' },
    ],
    [
      'may have tags as one text with commas',
      '---\ntags: hot, Cold Brew,,hot\n---\n',
      { keys: ['hot', 'cold-brew'] },
    ],
    ['may have categories instead of tags', '---\ntags:\ncategories: [Hot]\n---\n', { keys: ['hot'] }],
    ['gives no tags for an empty value', '---\ntags: \n---\n', { keys: [] }],
    [
      'is read with CRLF and a byte order mark; the text keeps its own line ends',
      '\ufeff---\r\ntitle: Tea\r\ntags: hot\r\n---\r\n\r\none\r\ntwo\r\n',
      { title: 'Tea', keys: ['hot'], markdown: 'one\r\ntwo\r\n' },
    ],
    ['gives a number as it is written', '---\ntitle: 1.10\n---\n', { title: '1.10' }],
    ['gives a date as it is written', '---\ntitle: 2024-05-01\n---\n', { title: '2024-05-01' }],
    ['gives a date of TOML as it is written', '+++\ntitle = 2024-05-01\n+++\n', { title: '2024-05-01' }],
    [
      'that is invalid stays in the text; the first heading after it is the title',
      '---\ntitle: Green tea\nSome prose.\n---\n\n# Tea\n',
      {
        ...{ title: 'Tea', status: 'accepted' },
        markdown: '---\ntitle: Green tea\nSome prose.\n---\n\n# Tea\n',
      },
    ],
    [
      'that is invalid still hides a draft',
      '---\nSome prose.\npublished: false\n---\nx',
      { status: 'draft' },
    ],
    [
      'is not a thematic break at the top',
      '---\n\nSome words\n\n---\n\nmore\n',
      { markdown: '---\n\nSome words\n\n---\n\nmore\n', notes: '' },
    ],
    ['draft = true makes the page a draft', '+++\ndraft = true\n+++\nx', { status: 'draft', state: 'draft' }],
  ] as const)
    it(what, async () => {
      const { categories, ...revision } = await revisionOf(text)
      expect({ ...revision, keys: categories?.map(({ key }) => key) }).to.deep.include(expected)
    })

  for (const [text, reason] of [
    ['---\ntitle: Green tea\nSome prose.\n---\n', 'line 3: '],
    ['+++\ntitle = Green\n+++\n', 'Invalid TOML document'],
    ['---\ntitle: Green tea\n', 'no end'],
  ] as const)
    it(`that is invalid is counted, and the note tells why: ${reason}`, async () => {
      const { notes } = await revisionOf(text)
      expect(notes).to.match(/^WARNING: pages whose front matter is invalid.*: 1, first tea\.md \(/)
      expect(notes).to.include(` (${reason}`)
    })

  it('that is invalid, but clear in its used lines, is told, too; older edits are not', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': '---\ntitle: Green\nbad: [yaml\n---\nx', 'a.md': '---\nb: [\n---\nx' })
    commit(folder, { 'a.md': '---\nb: []\n---\nx' })
    const { notes, page } = await take(folder)
    expect(page('tea').revisions.at(-1)).to.include({ title: 'Green', markdown: 'x' })
    expect(notes).to.match(/invalid YAML, which was read line by line: 1, first tea\.md \(line 4: /)
  })

  it('that was invalid in an older edit is not told; that it hides a page is', async () => {
    const folder = newRepository()
    const broken = '---\ntitle: [Tea\ndraft: true\n---\n'
    commit(folder, { 'tea.md': broken, 'a.md': broken })
    commit(folder, { 'tea.md': 'x' })
    expect((await take(folder)).notes).to.match(
      /front matter is invalid.*: 1, first a\.md \(line 3: .*; the page is hidden, because it may be a draft\)$/m,
    )
  })

  it('that hides a page although its lines are clear is told, too', async () => {
    const { notes, status } = await revisionOf('---\ntitle: Tea\ndraft: "true" x\n---\n')
    expect(status).to.equal('draft')
    expect(notes).to.match(/front matter is invalid.*: 1, first tea\.md \(line 3: .*; the page is hidden/)
  })

  it('gives no category for a tag that is too long for a key, with a note', async () => {
    const revision = await revisionOf(`---\ntags: [ok, ${'x'.repeat(256)}]\n---\n`)
    expect(revision.categories).to.deep.equal([{ key: 'ok' }])
    expect(revision.notes).to.include('Tags left out')
  })
})

describe('import git: titles', () => {
  for (const [what, text, title] of [
    [
      'an ATX heading',
      'text\n\n# Green *tea* and `__init__` [here](x.md) #\n',
      'Green tea and __init__ here',
    ],
    ['a setext heading', '> quote\n\nGreen\ntea\n=====\n', 'Green tea'],
    ['a heading after a fence, not one in it', '```sh\n# no\n~~~\n# no\n```\n# Tea\n', 'Tea'],
    ['a heading after a comment, not one in it', '<!--\nno\n# no\n-->\n# Tea {#tea}\n', 'Tea'],
    ['the first heading of level 1', '## Contents\n\nCup\n---\n\n# Tea\n\n# Cup\n', 'Tea'],
    ['a heading of another level, if the text begins with it', '<br>\n\n### Tea\n\n## Cup\n', 'Tea'],
    ['no such heading: the last segment of the path', 'text\n\n## Contents\n\nCup\n---\n', 'green'],
    ['a heading with attributes of MkDocs and others', '# Tea { #tea .hot }\n', 'Tea'],
    ['a heading with braces that are no attributes', '# Tea {cup}\n', 'Tea {cup}'],
    ['no heading: the last segment of the path', 'snake_case #no\n', 'green'],
    ['a decomposed heading: in NFC', '# Cafe\u0301\n', 'Caf\u00e9'],
    ['a heading with an icon and attributes', '# :material-leaf:{ .lg } [Tea](x){ .b } {id="t"}\n', 'Tea'],
    ['a heading with an escaped tag', '# \\<script setup> {#setup}\n', '<script setup>'],
    ['an empty heading: the next one', '#\n\n# snake_case\n', 'snake_case'],
  ] as const) {
    it(`come from ${what}`, async () => {
      expect((await revisionOf(text, 'tea/green.md')).title).to.equal(title)
    })
  }

  it('of a front page that gives none are the name of the wiki, by default that of the repository', async () => {
    const folder = newRepository()
    commit(folder, { 'README.md': '<p align="center"><img src="cup.png"></p>\n\nText.', 'a/README.md': 'x' })
    const { page, untitled } = await take(folder)
    expect(page('index').revisions[0]!.title).to.equal(basename(folder))
    expect(untitled).to.match(/: 1, first a\/README\.md$/)
    expect((await take(folder, { name: 'Tea' })).page('index').revisions[0]!.title).to.equal('Tea')
  })

  it('are cut between characters to at most 1020 bytes', async () => {
    expect((await revisionOf(`# ${'茶'.repeat(400)}\n`)).title).to.equal('茶'.repeat(340))
    expect((await revisionOf(`---\ntitle: a${'🍵'.repeat(300)}\n---\n`)).title).to.equal(
      `a${'🍵'.repeat(254)}`,
    )
  })
})

describe('import git: texts', () => {
  it('that are pointers of Git LFS are counted', async () => {
    const folder = newRepository()
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 3\n`
    commit(folder, { 'tea.md': pointer, 'mate.md': 'x' })
    commit(folder, { 'tea.md': pointer.replace('3', '4') })
    const { pages, notes } = await take(folder)
    expect(pages).to.have.length(2)
    expect(notes).to.include('Pages that are Git LFS pointers').and.include(': 1, first tea.md')
  })

  it('have bytes that are not UTF-8 replaced and U+0000 removed; both are counted', async () => {
    const revision = await revisionOf(Buffer.from([0x61, 0xff, 0x62, 0x00, 0x63]))
    expect(revision.markdown).to.equal('a\ufffdbc')
    expect(revision.notes).to.include('that are not UTF-8 were replaced, or U+0000 removed: 1')
  })

  for (const [encoding, bytes] of [
    ['UTF-16', Buffer.from('\ufeff---\r\ntitle: Thé\r\n---\r\nвода 日本', 'utf16le')],
    ['UTF-16', Buffer.from('\ufeff---\r\ntitle: Thé\r\n---\r\nвода 日本', 'utf16le').swap16()],
    ['Latin-1', Buffer.from('---\r\ntitle: Thé\r\n---\r\nNaïve façade, \u0093x\u0094', 'latin1')],
  ] as const)
    it(`in ${encoding} are decoded and counted`, async () => {
      const revision = await revisionOf(bytes)
      expect(revision.title).to.equal('Thé')
      expect(revision.markdown).to.equal(encoding === 'UTF-16' ? 'вода 日本' : 'Naïve façade, “x”')
      expect(revision.markdown).to.not.include('\ufffd')
      expect(revision.notes).to.match(
        new RegExp(`^Edits in ${encoding}.*, which was decoded: 1, first tea\\.md`),
      )
    })

  it('in UTF-8 with damage, or in another encoding, are not decoded as Latin-1', async () => {
    for (const bytes of [
      Buffer.concat([Buffer.from('вода и чай'), Buffer.from([0xd0])]),
      Buffer.from([0xc2, 0xee, 0xe4, 0xe0, 0x20, 0xf7, 0xe0, 0xe9]), // Windows-1251
      Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x82, 0xcc]), // Shift JIS
    ]) {
      const revision = await revisionOf(bytes)
      expect(revision.markdown).to.include('\ufffd')
      expect(revision.notes).to.include('that are not UTF-8 were replaced')
    }
  })

  it('of MkDocs have no lines of metadata before them, of others they have', async () => {
    const text = 'Title: Green tea\nAuthors: Ada\n    Bo\n\n# Tea\n\nNote: hot\n'
    const inBlock = '---\ntags: []\n---\nNote: hot\n'
    const folder = newRepository()
    commit(folder, { 'mkdocs.yml': '', 'docs/tea.md': text, 'docs/cup.md': inBlock })
    const { page } = await take(folder)
    expect(page('tea').revisions[0]).to.include({ title: 'Green tea', markdown: '# Tea\n\nNote: hot\n' })
    expect(page('cup').revisions[0]!.markdown).to.equal('Note: hot\n')
    const plain = newRepository()
    commit(plain, { 'tea.md': text })
    expect((await take(plain)).page('tea').revisions[0]).to.include({ title: 'Tea', markdown: text })
  })

  it('of MDX keep their import lines', async () => {
    const text = 'import Tea from "./tea"\n\n# Tea\n'
    expect(await revisionOf(text, 'tea.mdx')).to.include({ markdown: text, title: 'Tea' })
  })
})

describe('import git: states, and categories', () => {
  it('published: false makes the revision a draft, and the page too when it is in the text at the ref', async () => {
    const folder = newRepository()
    commit(folder, { 'a.md': '---\npublished: false\n---\n1', 'b.md': '1' }, { at: '2024-05-01T12:00:00Z' })
    commit(folder, { 'a.md': '2', 'b.md': '---\npublished: false\n---\n2' }, { at: '2024-05-02T12:00:00Z' })
    const { page } = await take(folder)
    expect(page('a').state).to.equal('live')
    expect(page('a').revisions.map(({ status }) => status)).to.deep.equal(['draft', 'accepted'])
    expect(page('b').state).to.equal('draft')
    expect(page('b').revisions.map(({ status }) => status)).to.deep.equal(['accepted', 'draft'])
  })

  it('a page whose file is gone is deleted', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x', 'mate.md': 'x' })
    commit(folder, { 'tea.md': null })
    expect((await take(folder)).page('tea').state).to.equal('deleted')
  })

  it('a category has the newest spelling of its tag', async () => {
    const folder = newRepository()
    commit(folder, { 'b.md': '---\ntags: [HOT  Drinks]\n---\n' }, { at: '2024-05-02T12:00:00Z' })
    commit(folder, { 'a.md': '---\ntags: [hot drinks]\n---\n' }, { at: '2024-05-03T12:00:00Z' })
    commit(folder, { 'c.md': '---\ntags: [Hot Drinks]\n---\n' }, { at: '2024-05-01T12:00:00Z' })
    expect((await take(folder)).categories).to.deep.equal([
      { type: 'category', locale: 'en', key: 'hot-drinks', name: 'hot drinks' },
    ])
  })

  it('tags of drafts, deleted pages and older revisions give no category', async () => {
    const folder = newRepository()
    const tagged = (tag: string, more = '') => `---\ntags: [${tag}]\n${more}---\n`
    commit(
      folder,
      { 'a.md': tagged('old'), 'b.md': tagged('gone'), 'c.md': tagged('hidden', 'published: false\n') },
      { at: '2024-05-01T12:00:00Z' },
    )
    commit(folder, { 'a.md': tagged('new'), 'b.md': null }, { at: '2024-05-02T12:00:00Z' })
    expect((await take(folder)).categories.map(({ key }) => key)).to.deep.equal(['new'])
  })

  it('tags of a draft that is dated after the revision that replaced it give no category, at the first and the second import', async () => {
    const folder = newRepository()
    const draft = '---\ntags: [hidden]\npublished: false\n---\n'
    commit(folder, { 'a.md': draft }, { at: '2024-05-02T12:00:00Z' })
    commit(folder, { 'a.md': '---\ntags: [open]\n---\n' }, { at: '2024-05-01T12:00:00Z' })
    for (const isKnown of [false, true]) {
      const known = async (some: { id: string }[]) => new Set(isKnown ? some.map(({ id }) => id) : [])
      const { page, categories } = await take(folder, { stored: () => storedWithKnown(known) })
      expect(page('a').state).to.equal('live')
      expect(categories.map(({ key }) => key)).to.deep.equal(['open'])
    }
  })
})

describe('import git: the wiki', () => {
  it('is named after the folder, and has the languages that have pages', async () => {
    const folder = newRepository({ isBare: true })
    const work = newRepository()
    commit(work, { 'en/tea.md': 'x', 'ru/tea.md': 'x' })
    git(work, ['push', '-q', folder, 'main'])
    const bare = join(gitFolder(), 'Tea Wiki.git')
    execFileSync('mv', [folder, bare])
    const { wiki, pages } = await take(bare, {
      layouts: ['{locale}/{path}.md'],
      license: 'https://tea.example/license',
    })
    expect(wiki).to.deep.equal({
      type: 'wiki',
      name: 'Tea Wiki',
      default_locale: 'en',
      license: 'https://tea.example/license',
      locales: [
        { locale: 'en', name: 'English' },
        { locale: 'ru', name: 'русский' },
      ],
    })
    expect(pages).to.have.length(2)
  })

  it('takes the name that is given; its default language is the one given, else en, else the largest', async () => {
    const folder = newRepository()
    commit(folder, { 'de/a.md': 'x', 'ru/a.md': 'x', 'ru/b.md': 'x' })
    const options = { layouts: ['{locale}/{path}.md'], name: 'Чай' }
    expect((await take(folder, options)).wiki).to.include({ name: 'Чай', default_locale: 'ru' })
    expect((await take(folder, { ...options, defaultLocale: 'de' })).wiki).to.include({
      default_locale: 'de',
    })
    commit(folder, { 'en/a.md': 'x' })
    expect((await take(folder, { ...options, defaultLocale: 'fr' })).wiki).to.include({
      default_locale: 'en',
    })
  })

  it('has the languages in which guests can see a page, and its default language when there is none', async () => {
    const folder = newRepository()
    const locales = async () => {
      const { wiki } = await take(folder, { layouts: ['{locale}/{path}.md'] })
      return wiki?.type === 'wiki' ? [wiki.default_locale, ...wiki.locales.map(({ locale }) => locale)] : []
    }
    const draft = '---\npublished: false\n---\n'
    commit(folder, { 'de/a.md': 'x', 'fr/a.md': draft, 'ja/a.md': 'x', 'ru/a.md': 'x' })
    commit(folder, { 'ja/a.md': draft, 'ru/a.md': null })
    expect(await locales()).to.deep.equal(['de', 'de'])
    commit(folder, { 'de/a.md': null })
    expect(await locales()).to.deep.equal(['en', 'en'])
  })

  it('refuses a license that is not a URL', async () => {
    const folder = newRepository()
    commit(folder, { 'tea.md': 'x' })
    expect((await refusalOf(folder, { license: 'MIT' })).message).to.include('license')
  })
})
