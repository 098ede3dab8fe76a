import { boundedHtml } from '@lectern/wiki/html'
import { makeWikiAddresses } from '@lectern/wiki/links'
import { expect } from 'chai'
import { commit, type Files, newRepository, take } from '../../../test/support/git.ts'

const textsOf = async (files: Files, layouts: string[] = [], prefix?: string) => {
  const folder = newRepository()
  commit(folder, files)
  const taken = await take(folder, { layouts, prefix })
  return {
    ...taken,
    text: (path: string, locale = 'en') => taken.page(path, locale).revisions.at(-1)!.markdown,
    title: (path: string, locale = 'en') => taken.page(path, locale).revisions.at(-1)!.title,
  }
}

/** A text, and what an import makes of it. */
type Conversion = readonly [title: string, before: string, after: string]

/** Checks conversions in one import: each text is a page of its own, next to other pages. */
const converts = async (files: Files, conversions: readonly Conversion[], folder = ''): Promise<void> => {
  const pages = conversions.map(([, before], i) => [`${folder}case-${i}.md`, before])
  const { text } = await textsOf({ ...files, ...Object.fromEntries(pages) })
  for (const [i, [title, , after]] of conversions.entries())
    expect(text(`${folder.replace('docs/', '')}case-${i}`), title).to.equal(after)
}

const GOLLUM = {
  ...{ 'Home.md': 'x', 'Green-Tea.md': 'x', 'test.md': 'x' },
  ...{ 'deep/down/Old-Sencha.md': 'x', 'images/cup.png': 'x' },
}

const VAULT = {
  '.obsidian/app.json': '{}',
  'Green tea.md': '---\naliases: [Grüntee, ryokucha]\n---\nx',
  'teas/black/Assam.md': 'x',
  'teas/green/Sencha.md': 'x',
  'old/red/Sencha.md': 'x',
  'files/cup.png': 'x',
  'files/paper.pdf': 'x',
  'files/Pot.excalidraw.svg': 'x',
}

describe('import git: links of Gollum', () => {
  it('are converted', () =>
    converts(GOLLUM, [
      ['a link by name, which stays', 'See [[Green Tea]].', 'See [[Green Tea]].'],
      ['a text before the page', '[[the tea|Green Tea]]', '[[Green Tea|the tea]]'],
      ['a text in a table', '| [[the tea\\|Green Tea]] |', '| [[Green Tea\\|the tea]] |'],
      ['a name that is the text', '[[Mate|Mate]]', '[[Mate]]'],
      [
        'a page in a folder',
        '[[/deep/down/Old-Sencha]] [[./x/y]]',
        '[[deep/down/Old-Sencha|/deep/down/Old-Sencha]] [[x/y|./x/y]]',
      ],
      [
        'the front page',
        '[home](Home) [x](Home#a) [y](home)',
        '[home](/en/index) [x](/en/index#a) [y](/en/index)',
      ],
      [
        'addresses of MediaWiki, to links by name',
        '[the tea](/index.php/Green_Tea#How) `[a](/index.php/b)` ![a](/index.php/b)',
        '[[Green Tea#How\\|the tea]] `[a](/index.php/b)` ![a](/index.php/b)',
      ],
      ['a heading', '[[how|Green Tea#How to]] [[#Top]]', '[[Green Tea#How to|how]] [#Top](#Top)'],
      ['another site', '[[site|https://tea.example/a b]]', '[site](https://tea.example/a%20b)'],
      ['an image with options', '[[cup.png|alt=A cup|width=20px]]', '![A cup](/images/cup.png)'],
      ['an image of another site', '[[https://tea.example/a.png]]', '![](https://tea.example/a.png)'],
      ['the table of contents, which goes', 'a[[_TOC_]]b', 'ab'],
      [
        'code spans, which stay',
        '`[[a]]` and ``[[b]] ` [[c]]`` [[x|Home]]',
        '`[[a]]` and ``[[b]] ` [[c]]`` [[Home|x]]',
      ],
      ['a code span over two lines, which stays', '`[[a\n]] [[x|Home]]`', '`[[a\n]] [[x|Home]]`'],
      ['an unclosed code span, which is none', '`[[x|Home]]\n\n`', '`[[Home|x]]\n\n`'],
      ['fences, which stay', '```\n[[a]]\n\n[[b]]\n```\n[[x|Home]]', '```\n[[a]]\n\n[[b]]\n```\n[[Home|x]]'],
      ['a longer fence', '~~~~\n~~~\n[[a]]\n~~~~\n[[x|Home]]', '~~~~\n~~~\n[[a]]\n~~~~\n[[Home|x]]'],
      [
        'a fence in a list',
        '- a\n  ```\n  [[a]]\n  ```\n- [[x|Home]]',
        '- a\n  ```\n  [[a]]\n  ```\n- [[Home|x]]',
      ],
      [
        'indented code, which stays',
        'a\n\n    [[a]]\n\n    [[b]]\n[[x|Home]]',
        'a\n\n    [[a]]\n\n    [[b]]\n[[Home|x]]',
      ],
      ['indented text of a list', '- a\n\n    [[x|Home]]', '- a\n\n    [[Home|x]]'],
      [
        '<pre>, which stays',
        '<pre>\n[[a]]\n\n[[b]]</pre>\n[[x|Home]]',
        '<pre>\n[[a]]\n\n[[b]]</pre>\n[[Home|x]]',
      ],
      ['an escaped mark, which stays', '\\[[Home]]', '\\[[Home]]'],
      ['CRLF', '[[x|Home]]\r\n\r\n[[x|Home]]\r\n', '[[Home|x]]\r\n\r\n[[Home|x]]\r\n'],
    ]))

  it('lead to pages in another letter case', () =>
    converts(GOLLUM, [
      [
        'a link in another letter case, or without the folder; not one to no page, or to a file',
        '[`tea`](green-tea#how) [b](Green-Tea) [c](old-sencha) [d](mate) [e](images/CUP.png) [f](./TEST)',
        '[`tea`](/en/Green-Tea#how) [b](Green-Tea) [c](/en/deep/down/Old-Sencha) [d](mate) [e](images/CUP.png) [f](./TEST)',
      ],
    ]))

  it('lead to the wiki itself', () => {
    const known = '[x](https://github.com/ada/teas/wiki/Green-Tea)'
    return converts({ ...GOLLUM, 'known.md': known.repeat(9) }, [
      [
        'pages, in any case and with any owner, by full and short addresses',
        '[a](https://github.com/ada/Teas/wiki/green-tea#how) [b](/bob/teas/wiki/Green%20Tea) [c](http://github.com/ada/teas/wiki/Old-Sencha "x")',
        '[a](/en/Green-Tea#how) [b](/en/Green-Tea) [c](/en/deep/down/Old-Sencha "x")',
      ],
      [
        'pages of GitLab',
        '[a](https://git.example/a/b/teas/-/wikis/Green-Tea) [h](https://git.example/a/teas/-/wikis/home)',
        '[a](/en/Green-Tea) [h](/en/index)',
      ],
      [
        'the front page, and definitions',
        '[a](https://github.com/ada/teas/wiki) [b](/ada/teas/wiki/Home#top) [c]\n\n[c]: <https://github.com/ada/teas/wiki/Green-Tea>\n',
        '[a](/en/index) [b](/en/index#top) [c]\n\n[c]: </en/Green-Tea>\n',
      ],
      [
        'pictures',
        '![x](https://github.com/ada/teas/wiki/images/cup.png) ![x](/ada/teas/wiki/images/cup.png) ![x](/ada/teas/wiki/no.png)',
        '![x](/images/cup.png) ![x](/images/cup.png) ![x](/ada/teas/wiki/no.png)',
      ],
      [
        'bare URLs; not in the text of a link, or with more after it',
        'See https://github.com/ada/teas/wiki/Green-Tea#how [see https://github.com/ada/teas/wiki/Green-Tea x](x) <b>https://github.com/ada/teas/wiki/Green-Tea</b> https://github.com/ada/teas/wiki/Green-Tea?x',
        'See [https://github.com/ada/teas/wiki/Green-Tea#how](/en/Green-Tea#how) [see https://github.com/ada/teas/wiki/Green-Tea x](x) <b>https://github.com/ada/teas/wiki/Green-Tea</b> https://github.com/ada/teas/wiki/Green-Tea?x',
      ],
      ...[
        'https://github.com/ada/teas/wiki/Mate',
        'https://github.com/ada/pots/wiki/Green-Tea',
        'https://github.com/ada/teas/wiki/Green-Tea/_history',
        'https://github.com/ada/teas/wiki/Green-Tea?x=1',
        'https://tea.example/ada/teas/wiki/Green-Tea',
        'https://github.com/ada/teas/wikis/Green-Tea',
      ].map((url): Conversion => [`not ${url}`, `[a](${url})`, `[a](${url})`]),
    ])
  })

  it('lead to the wiki of the repository most of whose links name a page; drafts do not count', async () => {
    const link = (name: string, page = 'Mate') => `[x](https://github.com/ada/${name}/wiki/${page})`
    const { text } = await textsOf({
      'Home.md': link('teas').repeat(2) + link('cups', 'None').repeat(9),
      'Mate.md': link('pots'),
      'Draft.md': `---\npublished: false\n---\n${link('pots').repeat(9)}`,
    })
    expect(text('index')).to.equal('[x](/en/Mate)'.repeat(2) + link('cups', 'None').repeat(9))
    expect(text('Mate')).to.equal(link('pots'))
  })

  it('the title is the name of the file with spaces, unless the front matter has one', async () => {
    const { title } = await textsOf({
      'Home.md': '# Welcome',
      'Green-Tea.md': '# Other\n',
      'Mate.md': '---\ntitle: Yerba\n---\n# Mate\n',
    })
    expect([title('index'), title('Green-Tea'), title('Mate')]).to.deep.equal(['Home', 'Green Tea', 'Yerba'])
  })

  it('pages in other markups are converted, with links to the pages; those without a converter are counted', async () => {
    const { text, title, notes } = await textsOf({
      'Home.md': '[[Green Tea]]',
      'Green-Tea.asciidoc': '= Green\n\n== Kinds\n\n* *Sencha*',
      'Cup.mediawiki': "''A'' [[Green Tea|tea]] in [[File:cup.png]] [[Category:China]]",
      'Mate.org': '#+TITLE: Yerba\n* Hot\n[[Green Tea][tea]]',
      'Pot.textile': 'h1. Pot\n\n*Iron* for [[Green Tea]]',
      'Rest.rst': 'Rest\n====\n\n* a',
      'Plain.pod': '=head1 Plain',
    })
    expect(text('index')).to.equal('[[Green Tea]]')
    expect(text('Green-Tea')).to.equal('# Green\n\n## Kinds\n\n- **Sencha**\n')
    expect(title('Green-Tea')).to.equal('Green Tea')
    expect(text('Cup')).to.equal('*A* [[Green Tea\\|tea]] in ![cup.png](/cup.png)\n')
    expect(text('Mate')).to.equal('# Hot\n\n[[Green Tea\\|tea]]\n')
    expect(title('Mate')).to.equal('Yerba')
    expect(text('Pot')).to.equal('# Pot\n\n**Iron** for [[Green Tea]]\n')
    expect(text('Rest')).to.equal('# Rest\n\n- a\n')
    expect(text('Plain')).to.equal('```pod\n=head1 Plain\n```\n')
    expect(notes).to.include('markups that Lectern cannot convert').and.include(': 1, first Plain.pod at ')
  })

  it('a link leads to the page in its letter case, if there is one', async () => {
    const files = { 'Home.md': 'x', 'CUP.md': 'x', 'Cup.md': 'x', 'test.md': '[a](Cup) [b](CUP)' }
    expect((await textsOf(files)).text('test')).to.equal('[a](Cup) [b](CUP)')
  })

  it('Home is a former path of the front page, and the name of a file in a folder, if it is the only one', async () => {
    const files = ['Home', 'Tea', 'a/Mate', 'a/Tea', 'a/Cup', 'b/Cup']
    const { formerPaths } = await textsOf(Object.fromEntries(files.map((name) => [`${name}.md`, 'x'])))
    const former = ['index', 'Tea', 'a/Mate', 'a/Tea', 'a/Cup', 'b/Cup'].map((path) => formerPaths(path))
    expect(former).to.deep.equal([['en Home'], [], ['en Mate'], [], [], []])
  })

  it('stay as they are in a repository that is not a wiki', async () => {
    const { text } = await textsOf({ 'tea.md': '[[Home]]' })
    expect(text('tea')).to.equal('[[Home]]')
  })
})

describe('import git: links of Obsidian', () => {
  it('are converted', () =>
    converts(VAULT, [
      [
        'a link by name, which stays',
        '[[Green tea#How|the *tea*]] ![[Assam]]',
        '[[Green tea#How|the *tea*]] ![[Assam]]',
      ],
      [
        'a name with spaces around',
        '[[Assam |tea]] [[ Assam ]] [[Assam|  a]] [[ #How ]]',
        '[[Assam|tea]] [[Assam]] [[Assam|  a]] [[#How]]',
      ],
      [
        'a name from the folder of the page',
        '[[./Assam|tea]] [[/a/b#c]]',
        '[[Assam|tea]] [[a/b#c|/a/b > c]]',
      ],
      [
        'an embedded image',
        '![[cup.png]] ![[cup.png|300]] ![[cup.png|A cup]]',
        '![](/files/cup.png) ![\\|300](/files/cup.png) ![A cup](/files/cup.png)',
      ],
      ['an embedded file', '![[paper.pdf]]', '[paper.pdf](/files/paper.pdf)'],
      [
        'an embedded drawing of Excalidraw, which is the picture beside it, or its name',
        '![[Pot.excalidraw]] ![[files/Pot.excalidraw.md|300]] ![[Lid.excalidraw]] [[Pot.excalidraw]]',
        '![](/files/Pot.excalidraw.svg) ![\\|300](/files/Pot.excalidraw.svg) Lid.excalidraw [[Pot.excalidraw]]',
      ],
      [
        'a shown video',
        '![a|300x200](https://youtu.be/b) ![](https://www.youtube.com/watch?v=c) ![d](https://e.example/f) ![560x315](https://vimeo.com/7) ![](https://x.com/a/1)',
        '[a](https://youtu.be/b) [Video on YouTube](https://www.youtube.com/watch?v=c) ![d](https://e.example/f) [Video on Vimeo](https://vimeo.com/7) [Post on X](https://x.com/a/1)',
      ],
      ['a callout, which stays', '> [!tip|a]- Hot [[Assam]]\n> x', '> [!tip|a]- Hot [[Assam]]\n> x'],
      ['code, which stays', '`[[a]]`\n```\n![[b]] #c\n```\n', '`[[a]]`\n```\n![[b]] #c\n```\n'],
    ]))

  it('tags in the text are categories, next to those of the front matter', async () => {
    const { page, text } = await textsOf({
      ...VAULT,
      'test.md':
        '---\ntags: ["#hot", Tea]\n---\n#tea/green and #日本\n# Heading\na#b &#35; `#code` #123 #v2 [x](y#z) <mark style="background: #FFB86C">a < #b</mark>\n',
    })
    expect(page('test').revisions[0]?.categories?.map(({ key }) => key)).to.deep.equal([
      'hot',
      'tea',
      'tea/green',
      '日本',
      'v2',
      'b',
    ])
    expect(text('test')).to.include('#tea/green and #日本\n# Heading')
  })

  it('a nested tag is also in the categories of the tags around it', async () => {
    const { page } = await textsOf({ ...VAULT, 'test.md': '---\ntags: [Bread/Rye/dark]\n---\n#tea/green/\n' })
    expect(page('test').revisions[0]?.categories?.map(({ key }) => key)).to.have.members([
      'bread',
      'bread/rye',
      'bread/rye/dark',
      'tea',
      'tea/green/',
    ])
  })

  it('links in the categories of the front matter name categories', async () => {
    const { page, categories } = await textsOf({
      ...VAULT,
      'test.md': '---\ncategories:\n  - "[[Board games]]"\n  - "[[teas/Tea|tea]]"\n---\nx',
    })
    expect(page('test').revisions[0]?.categories?.map(({ key }) => key)).to.deep.equal([
      'board-games',
      'teas/tea',
    ])
    expect(categories.map((one) => one.name)).to.deep.equal(['Board games', 'teas/Tea'])
  })

  it('the title is the name of the file', async () => {
    const { title } = await textsOf(VAULT)
    expect(title('Green tea')).to.equal('Green tea')
  })

  it('convert Markdown links to notes that are not where they lead, but whose paths end like them', async () => {
    const { text } = await textsOf({
      ...VAULT,
      'teas/black/tea.md':
        '[a](teas/green/Sencha.md#how) [b](../../old/red/Sencha.md) [c](Assam.md) [d](old/red/Gone.md) [[teas/x]] [e](old/tea.pdf) [f](Assam.md#Up%20(in%20a_pot)#Hot%20(1)) [g](#^a) [h](../../en/deep/h) [i](Sencha.md) [j](RED/sencha)',
      'en/deep/tea.md': '[h](h) [i](i/(j).md) [k](Green%20tea#x)',
      'teas/black/old/red/Own.md': 'x',
      'notes/draft.md': '---\ndraft: true\n---\nx',
      'teas/green/tea.md': '[a](teas/black/Assam.md) [b](old/red/Sencha.md) [c](notes/draft.md) [d](draft)',
      'teas/green/x.md': '[a](Sencha.md) [b](deep/tea)',
    })
    // `c` and `d` of the third text stay: a text does not tell where drafts are.
    expect(
      ['teas/black/tea', 'en/deep/tea', 'teas/green/tea', 'teas/green/x'].map((path) => text(path)),
    ).to.deep.equal([
      '[a](/en/teas/green/Sencha#how) [b](../../old/red/Sencha.md) [c](Assam.md) [d](old/red/Gone.md) [[teas/x]] [e](old/tea.pdf) [f](/en/teas/black/Assam#hot-1) [g](#^a) [h](../../en/deep/h) [i](/en/old/red/Sencha) [j](/en/old/red/Sencha)',
      '[h](h) [i](i/(j).md) [k](/en/Green%20tea#x)',
      '[a](/en/teas/black/Assam) [b](/en/old/red/Sencha) [c](notes/draft.md) [d](draft)',
      '[a](Sencha.md) [b](/en/en/deep/tea)',
    ])
  })

  it('convert in a vault that is the content of MkDocs', async () => {
    const { text } = await textsOf({
      'mkdocs.yml': 'site_name: Tea\n',
      'docs/.obsidian/app.json': '{}',
      'docs/a/Tea.md': '[[Mate]] ![[cup.png]]',
      'docs/Mate.md': 'x',
      'docs/img/cup.png': 'x',
    })
    expect(text('a/Tea')).to.equal('[[Mate]] ![](/img/cup.png)')
  })

  it('lead to the note at the top, below the folder of the text, or with the shortest path, if several have the name', async () => {
    const links = '[[Plan]] ![[plan#Now]] [[Plan|x]] [[top]] [[only]] | [[b/Plan]]'
    const files = { 'top.md': 'x', 'a/top.md': 'x', 'c/only.md': 'x', 'e/only.md': '---\ndraft: true\n---\n' }
    const plans = { 'a/d/Plan.md': 'x', 'b/Plan.md': 'x', 'x/a/Plan.md': '---\npublish: false\n---\n' }
    const notes = { 'a/x.md': links, 'x/a/b.md': '[[Plan]] [[only]]' }
    const { text } = await textsOf({ '.obsidian/app.json': '{}', ...files, ...plans, ...notes })
    expect(text('a/x')).to.equal(
      '[[a/d/Plan\\|Plan]] ![[a/d/Plan#Now]] [[a/d/Plan|x]] [[top]] [[only]] | [[b/Plan]]',
    )
    expect(text('x/a/b')).to.equal('[[b/Plan\\|Plan]] [[only]]')
  })

  it('of Dendron have their text first', async () => {
    const { text } = await textsOf({
      'dendron.yml': 'version: 5\n',
      'tea.md':
        '[[A bug|tea.bug#b]] [[dendron://teas/tea.hot]] ![[tea.hot]] | [[x\\|tea.bug]] |\n\n[[tea.bug]]',
      'tea.bug.md': '[[tea]]',
      'tea.hot.md': '[[tea.bug]]',
      'tea.green.md': 'x',
    })
    expect(text('tea')).to.equal(
      '[[tea.bug#b|A bug]] [[tea.hot]] ![[tea.hot]] | [[tea.bug\\|x]] |\n\n[[tea.bug]]',
    )
    expect(text('tea.bug')).to.equal('[[tea]]')
  })

  it('takes linear time for hostile texts, and leaves a text that would become too long', async () => {
    const many = 200_000
    const long = `${'x'.repeat(120)}/`.repeat(4)
    const { text } = await textsOf({
      '.obsidian/app.json': '{}',
      [`${long}a.md`]: 'x',
      'brackets.md': '[['.repeat(many),
      'backticks.md': Array.from({ length: 1500 }, (_, i) => '`'.repeat(i)).join(' '),
      'hashes.md': '#'.repeat(many) + ' #1'.repeat(many),
      'fences.md': '```\n~~~\n'.repeat(many / 2),
      'open.md': `[[${'a'.repeat(many)} `.repeat(5),
      'same.md': '![[x/a.png]]'.repeat(20_000),
      'growing.md': '![[a.png]]'.repeat(many),
      [`${long}a.png`]: 'x',
    })
    expect(text('brackets')).to.equal('[['.repeat(many))
    expect(text('growing')).to.equal('![[a.png]]'.repeat(many))
    expect(text('same')).to.include('![](/x/a.png)')
  })
})

describe('import git: relative links in Markdown', () => {
  const FILES = {
    'mkdocs.yml':
      'plugins:\n  - i18n:\n      languages:\n        - locale: en\n          default: true\n        - locale: fr\n',
    'docs/README.md': 'x',
    'docs/tea/index.md': 'x',
    'docs/tea/green.md': 'x',
    'docs/tea/sencha.md': 'x',
    'docs/tea/green.fr.md': 'x',
    'docs/tea/deep/README.md': 'x',
  }

  it('start from the folder of the file, also in the page of a folder, whether the other page exists or not; tags of site generators stay', async () => {
    const text =
      '[a](green.md) [b](./deep/) ![c](img/cup.png) [d](../README.md#x) [e](new.md)\n\n[f]: green.md "t"\n'
    const { text: plain } = await textsOf({ 'docs/README.md': '[a](../LICENSE) [b](LICENSE) [c](../cup)' })
    expect(plain('docs')).to.equal('[a](docs/../LICENSE) [b](docs/LICENSE) [c](/en/cup)')
    const { text: html } = await textsOf({ 'docs/README.md': '<a href="cup.md">c</a>', 'docs/cup.md': 'x' })
    expect(html('docs')).to.equal('<a href="/en/docs/cup">c</a>')
    const tags = '[g]({% tea green %}) [h]({{ green }})\n\n[i]: {{% x %}}\n'
    expect((await textsOf({ ...FILES, 'docs/tea/index.md': `${text}\n${tags}` })).text('tea')).to.equal(
      `[a](/en/tea/green) [b](/en/tea/deep) ![c](tea/img/cup.png) [d](/en/index#x) [e](/en/tea/new)\n\n[f]: /en/tea/green "t"\n\n${tags}`,
    )
  })

  it('lead to pages, or stay', () => {
    const same =
      '[a](sencha.md) [b](../tea/green.md#x) [c](<green.md>) [d](index.md) [e](img/cup.png) [f](#g)'
    const other =
      '`[a](deep/README.md)` [b](https://x.example/README.md) [c](/cup.pdf) [d](mailto:a@b.example)\n'
    const outside = '[a](../../../../../README.md)'
    return converts(
      FILES,
      [
        ['lead to the same page anyway', same, same],
        [
          'the page of a README, of a generated HTML file, and of another language',
          '[a](deep/README.md) [b](green.html?x#y) [c](green.fr.md) [d](<deep/README.md>) [e](no.html)',
          '[a](/en/tea/deep) [b](/en/tea/green?x#y) [c](/fr/tea/green) [d](</en/tea/deep>) [e](/en/tea/no)',
        ],
        [
          'addresses of MediaWiki',
          '[a](/w/index.php/Green_t%C3%A9) [b](/index.php?title=Mate) [c](https://x.example/index.php/D)',
          '[[Green té\\|a]] [[Mate\\|b]] [c](https://x.example/index.php/D)',
        ],
        ['in code, and other links', other, other],
        ['that lead out of the repository', outside, outside],
      ],
      'docs/tea/',
    )
  })
})

describe('import git: README.md', () => {
  const paths = async (files: Files) => (await textsOf(files)).pages.map(({ path }) => path).sort()

  it('is the page of its folder, in a plain repository and in those of tools that show it so', async () => {
    const files = { 'README.md': 'x', 'tea/README.md': 'x', 'tea/a.md': 'x' }
    expect(await paths(files)).to.deep.equal(['index', 'tea', 'tea/a'])
    expect(await paths({ ...files, 'SUMMARY.md': 'x' })).to.deep.equal(['index', 'tea', 'tea/a'])
    expect(
      await paths({ 'book.toml': '[book]\n', 'src/README.md': 'x', 'src/a/README.md': 'x' }),
    ).to.deep.equal(['a', 'index'])
  })

  it('is a page of its own if a folder has another page', async () => {
    expect(await paths({ 'README.md': 'x', 'index.md': 'x' })).to.deep.equal(['README', 'index'])
    expect(await paths({ 'README.md': 'x', 'tea/README.md': 'x', 'tea.md': 'x' })).to.deep.equal([
      'README',
      'tea',
      'tea/README',
    ])
  })
})

describe('import git: links to addresses of a site', () => {
  const HUGO = {
    'hugo.toml': 'title = "Tea"\n',
    'content/_index.md': 'x',
    'content/kinds/_index.md': 'x',
    'content/kinds/ToSteam.md': 'x',
    'content/kinds/old.md': '---\nslug: new\n---\nx',
    'content/kinds/url.md': '---\nurl: /far/away/\naliases: [/was/here]\n---\nx',
    'content/brew/water.md': 'x',
  }
  const HUGO_BLOG = {
    'hugo.toml':
      '[permalinks]\nposts = "/:year/:month/kettle/:slug/"\n[permalinks.page]\nnews = "/:section/:year/:month/:day/:slug"\nold = "/:year/:monthname/:slug/"\n',
    'content/old/cup.md': '---\ndate: 2022-03-04\n---\nx',
    'content/posts/undated.md': 'x',
    'content/posts/1.md': '---\ndate: 2022-03-04\ntitle: "Cups - a  Guide (new)!"\n---\nx',
    'content/posts/tea/index.md': '---\ndate: 2022-03-04T05:06:07Z\n---\nx',
    'content/news/tea.md': '---\ndate: 2022-03-04\nslug: Own\n---\nx',
    'content/a.md': '[x](/2022/03/kettle/tea/)',
  }
  const JEKYLL = {
    '_config.yml':
      'permalink: pretty\ncollections:\n  docs:\n    output: true\n    permalink: /:collection/:path/\n',
    'index.md': '---\ntitle: x\n---\nx',
    '_docs/tea.md': 'x',
    '_docs/deep/cup.md': '---\npermalink: /cups/\nredirect_from: /docs/cups/\n---\nx',
    '_posts/2020-01-02-new-tea.md': 'x',
    'cups/_posts/2021-03-04-tall.md': 'x',
  }
  const JEKYLL_DEFAULTS = {
    '_config.yml':
      'collections: { book: { output: true }, docs: { output: true } }\ndefaults:\n  - scope: { path: _book }\n    values: { permalink: "/read/:title.html" }\n  - scope: { path: "", type: docs }\n    values: { permalink: "/:path.html" }\n',
    '_book/tea.md': 'x',
    '_book/own.md': '---\npermalink: /own/\n---\nx',
    '_docs/brew/cup.md': 'x',
  }
  const ASTRO = { 'astro.config.mjs': 'export default {}', 'src/content/docs/guide/tea.mdx': 'x' }
  const DOCUSAURUS = {
    'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { path: 'docs' } }]] }",
    'docs/intro.md': '---\nslug: /\n---\nx',
    'docs/01-tea/02-green.md': 'x',
    'docs/brew/brew.md': 'x',
    'docs/brew/water.md': '---\nid: hot-water\n---\nx',
  }
  const BLOG = {
    'site/docusaurus.config.js': `module.exports = { themeConfig: { docs: { sidebar: {} } }, presets: [['classic', {
      docs: { routeBasePath: '/' }, blog: { routeBasePath: 'news' } }]],
      plugins: [[require.resolve('@docusaurus/plugin-content-docs'), { id: 'pots', path: '../all/pots', routeBasePath: 'cups' }]] }`,
    ...{ 'site/docs/intro.md': 'x', 'all/pots/tall.md': 'x', 'all/pots/index.md': '---\nslug: /\n---\nx' },
    ...{
      'site/blog/2020-01-02-new-tea.md': 'x',
      'site/blog/2021-03-04-old/index.md': '---\nslug: old\n---\nx',
    },
  }
  const SUBFOLDER = { 'www/docusaurus.config.js': '', 'www/docs/brew/water.md': 'x' }
  const QUARTO = { '_quarto.yml': 'lang: en', 'brew/water.qmd': 'x', 'kinds/black.qmd': 'x' }
  const MKDOCS = { 'mkdocs.yml': '', 'docs/guide/tea.md': 'x' }
  const STARLIGHT = {
    'astro.config.mjs': 'export default { integrations: [starlight({})] }',
    'src/content/docs/In cups/v2.0/Tea.md': 'x',
    'src/content/docs/In cups/index.md': 'x',
  }
  const VITEPRESS = { '.vitepress/config.ts': "export default { lang: 'en' }", 'guide/tea.md': 'x' }

  it('to a language whose folder has no hyphen', async () => {
    const names = ['tea', 'cup', 'zhHans/tea', 'zhHans/cup'].map((name) => [`${name}.md`, '[a](/zhHans/cup)'])
    const { text } = await textsOf({ ...VITEPRESS, ...Object.fromEntries(names) })
    expect([text('tea'), text('tea', 'zh-hans')]).to.deep.equal(Array(2).fill('[a](/zh-hans/cup)'))
  })
  const NEXT = { 'next.config.ts': 'export default {}', 'docs/guide/tea.md': 'x' }
  const ANTORA = {
    'docs/antora.yml': 'name: tea',
    'docs/modules/ROOT/pages/index.adoc': 'x',
    'docs/modules/brew/pages/pots/big.adoc': 'x',
    'docs/modules/brew/pages/index.adoc':
      '= Brew\n:page-aliases: ROOT:old/pot.adoc, \\\n  brew:gone.adoc\n\nx',
  }
  const OWN_IDS = {
    '.vitepress/config.ts': 'export default { markdown: { anchor: { slugify } } }',
    'guide/tea.md': 'x',
  }

  for (const [title, files, file, path, before, after] of [
    [
      'Hugo: they start from the address of the page, which is a folder; one that leads into no folder starts next to the page, or at the top; ref and relref name files; Zola, read as Hugo: names from the top of the pages',
      ...([HUGO, 'content/kinds/green.md', 'kinds/green'] as const),
      '[a](../tosteam/#x) [b](/kinds/tosteam) [c](/kinds/new/) [d](/far/away) [e](/was/here/)\n\n[a](brew/water) [b](../../brew/water/) [c](ToSteam.md) [d]: x\n\n[d]: brew/water\n\n[a]({{< ref "/brew/water.md#x" >}}) [b]({{% relref "water" %}}) [c]({{< relref "brew/water" >}}) [d]({{< x "y" >}})\n\n[a](@/brew/water.md#x) [b](@/kinds/_index.md) [c](@tea)',
      '[a](/en/kinds/ToSteam#x) [b](/en/kinds/ToSteam) [c](/en/kinds/old) [d](/en/kinds/url) [e](/en/kinds/url)\n\n[a](/en/brew/water) [b](/en/brew/water) [c](ToSteam.md) [d]: x\n\n[d]: /en/brew/water\n\n[a](/en/brew/water#x) [b](/en/brew/water) [c](/en/brew/water) [d]({{< x "y" >}})\n\n[a](/en/brew/water#x) [b](/en/kinds) [c](@tea)',
    ],
    [
      'Hugo: ref and relref of a name alone mean a page in the folder, else the one on the site',
      ...([
        { ...HUGO, 'content/brew/_index.md': 'x', 'content/brew/tosteam.md': 'x' },
        'content/kinds/green.md',
        'kinds/green',
      ] as const),
      '[a]({{<relref Water#x>}}) [b]({{% ref "ToSteam.md" %}}) [c](water) [d]({{< ref gone >}})\n\n[e]: {{< ref "brew" >}}',
      '[a](/en/brew/water#x) [b](/en/kinds/ToSteam) [c](water) [d](/en/kinds/gone)\n\n[e]: /en/brew',
    ],
    [
      'Quarto: names of files, and their addresses',
      ...([QUARTO, 'kinds/green.qmd', 'kinds/green'] as const),
      '[a](../brew/water.qmd#x) [b](/brew/water.html) [c](black.qmd)',
      '[a](/en/brew/water#x) [b](/en/brew/water) [c](/en/kinds/black)',
    ],
    [
      'Jekyll: permalinks, collections, posts and redirects; tags of Liquid, also in HTML',
      ...([JEKYLL, '_docs/mate.md', '_docs/mate'] as const),
      '[a](/docs/tea/#x) [b](/cups/) [c](/docs/cups/) [d](/news/2020/01/02/new-tea/) [e](../tea/) [f](/cups/2021/03/04/tall/)\n\n[a]({% link _docs/tea.md %}#x) [b]({{ site.baseurl }}/cups/) [c]({% post_url 2020-01-02-new-tea %}) <a class="x" href="{{ \'/docs/tea/\' | relative_url }}">d</a>',
      '[a](/en/_docs/tea#x) [b](/en/_docs/deep/cup) [c](/en/_docs/deep/cup) [d](/en/_posts/2020-01-02-new-tea) [e](/en/_docs/tea) [f](/en/cups/_posts/2021-03-04-tall)\n\n[a](/en/_docs/tea#x) [b](/en/_docs/deep/cup) [c](/en/_posts/2020-01-02-new-tea) <a class="x" href="/en/_docs/tea">d</a>',
    ],
    [
      'Docusaurus: slugs, ids, numbers, and the page with the name of its folder',
      ...([DOCUSAURUS, 'docs/mate.md', 'mate'] as const),
      '[a](/docs/) [b](/docs/tea/green) [c](brew/hot-water) [d](/docs/brew) [e](/docs/next/mate)',
      '[a](/en/intro) [b](/en/01-tea/02-green) [c](/en/brew/water) [d](/en/brew/brew) [e](/en/mate)',
    ],
    [
      'Docusaurus: posts by the dates and slugs of their files, and further docs',
      ...([BLOG, 'site/blog/2022-05-06-mate.md', 'blog/2022-05-06-mate'] as const),
      '[a](/intro) [b](/news/2020/01/02/new-tea#x) [c](/news/old) [d](/cups/tall) [e](/cups) [f](2020-01-02-new-tea.md)',
      '2022-05-06\n\n[a](/intro) [b](/en/blog/2020-01-02-new-tea#x) [c](/en/blog/2021-03-04-old) [d](/en/pots/tall) [e](/en/pots) [f](2020-01-02-new-tea.md)',
    ],
    [
      'Docusaurus: docs without a route can be below /docs/, by the baseUrl',
      ...([BLOG, 'site/docs/tea.md', 'tea'] as const),
      '[a](/docs/intro) [b](/docs/tea/#x) [c](/docs/tea.md) [d](@site/docs/intro.md)',
      '[a](/en/intro) [b](/en/tea#x) [c](/en/tea) [d](/en/intro)',
    ],
    [
      'Docusaurus: a file is looked for from the folder of the site, too',
      ...([SUBFOLDER, 'www/docs/mate.md', 'mate'] as const),
      '[a](/brew/water.md) [b](/docs/brew/water.md#x) [c](/www/docs/brew/water.md) [d](/none/water.md)',
      '[a](/brew/water.md) [b](/en/brew/water#x) [c](/en/brew/water) [d](/none/water.md)',
    ],
    [
      'Docusaurus: a file is looked for next to the text, or at the top; a file from the top of the repository, although addresses begin as it does',
      ...([DOCUSAURUS, 'docs/brew/deep/mate.md', 'brew/deep/mate'] as const),
      '[a](01-tea/02-green.md#x) [b](../water.md) [c](brew/mate.md) [d](none/a.md) [e](../01-tea/none.md)\n\n[a](/docs/brew/water.md#x) [b](/brew/water.md)',
      '[a](/en/01-tea/02-green#x) [b](../water.md) [c](/en/brew/mate) [d](none/a.md) [e](/en/01-tea/none)\n\n[a](/en/brew/water#x) [b](/brew/water.md)',
    ],
    [
      'MkDocs: a file is looked for from the folder of the pages, or from the top of the repository, as on GitHub',
      ...([MKDOCS, 'docs/mate.md', 'mate'] as const),
      '[a](/guide/tea.md) [b](/docs/guide/tea.md#x) [c](/docs/none/tea.md)',
      '[a](/guide/tea.md) [b](/en/guide/tea#x) [c](/docs/none/tea.md)',
    ],
    [
      'MkDocs: files stay as they are written, also those of settings',
      ...([MKDOCS, 'docs/guide/mate.md', 'guide/mate'] as const),
      '[a](../a/cup.yml) [b](cup.webm)',
      '[a](../a/cup.yml) [b](cup.webm)',
    ],
    [
      'Starlight: addresses in lower case without signs, also in components',
      ...([STARLIGHT, 'src/content/docs/mate.mdx', 'mate'] as const),
      '[a](/in-cups/v20/tea/) <LinkCard title="b"\n  href="/in-cups/#x" /> <Feature url="/in-cups/" />',
      '[a](/en/In%20cups/v2.0/Tea) <LinkCard title="b"\n  href="/en/In%20cups#x" /> <Feature url="/en/In%20cups" />',
    ],
    [
      'Next.js: those of the folder docs begin with its name, or not',
      ...([NEXT, 'docs/mate.md', 'mate'] as const),
      '[a](/docs/guide/tea/#x) [b](/guide/tea)',
      '[a](/en/guide/tea#x) [b](/guide/tea)',
    ],
    [
      'Jekyll: defaults of the configuration give pages of a folder a permalink',
      ...([JEKYLL_DEFAULTS, 'index.md', 'index'] as const),
      '[a](/read/tea.html#x) [b](/brew/cup.html) [c](/own/)',
      '[a](/en/_book/tea#x) [b](/en/_docs/brew/cup) [c](/en/_book/own)',
    ],
    [
      'Astro: those of the collection docs begin with its name',
      ...([ASTRO, 'src/content/docs/mate.mdx', 'mate'] as const),
      '[a](/docs/guide/tea#x)',
      '[a](/en/guide/tea#x)',
    ],
    [
      'Antora: former addresses of a page',
      ...([ANTORA, 'docs/modules/ROOT/pages/mate.adoc', 'mate'] as const),
      'xref:old/pot.adoc#x[a] xref:brew:gone.adoc[b]',
      '[a](/en/brew#x) [b](/en/brew)\n',
    ],
    [
      'Antora: names of pages and pictures start in a module',
      ...([ANTORA, 'docs/modules/brew/pages/pots/mate.adoc', 'brew/pots/mate'] as const),
      ':imagesdir: ../a\n\nxref:pots/big.adoc#x[Big] xref:big-pot.adoc[] xref:brew:index.adoc[c] image:a/d.png[e] image:ROOT:f.png[g]',
      '[Big](/brew/pots/big#x) [big pot](/brew/big-pot) [c](/brew/index) ![e](../../../brew/images/a/d.png) ![g](../../../ROOT/images/f.png)\n',
    ],
    [
      'Astro: addresses can begin with the folder of the docs',
      ...([{ ...STARLIGHT, 'src/content/docs/a/b.md': 'x' }, 'src/content/docs/mate.md', 'mate'] as const),
      '[a](/docs/a/b/)',
      '[a](/en/a/b)',
    ],
    [
      'mdBook: names from its folder, as the manual of Nix has them',
      ...([{ 'book.toml': '', 'src/brew/water.md': 'x' }, 'src/tea/mate.md', 'tea/mate'] as const),
      '[a](@docroot@/brew/water.md#x)',
      '[a](/en/brew/water#x)',
    ],
    [
      'VitePress: files that it generates, and fragments as they are',
      ...([VITEPRESS, 'mate.md', 'mate'] as const),
      '[a](/guide/tea.html#Cup) [b](#Cup) [c](https://x.example/a.html) <D link="guide/tea.html" /> <E link="x" />',
      '[a](/en/guide/tea#Cup) [b](#Cup) [c](https://x.example/a.html) <D link="/en/guide/tea" /> <E link="x" />',
    ],
    [
      'VitePress: with a function for ids, fragments are in lower case, without hyphens at their ends',
      ...([OWN_IDS, 'mate.md', 'mate'] as const),
      '[a](guide/tea#Cup-) [b](#-Cup-a) [c](https://x.example/#A)',
      '[a](/en/guide/tea#cup) [b](#cup-a) [c](https://x.example/#A)',
    ],
  ] as const)
    it(title, async () => {
      const { text } = await textsOf({ ...files, [file]: before })
      expect(text(path)).to.equal(after)
    })

  it('are former paths of the pages whose paths are others', async () => {
    const hugo = await textsOf(HUGO)
    expect(
      ['kinds/ToSteam', 'kinds/old', 'kinds/url', 'brew/water'].map((path) => hugo.formerPaths(path)),
    ).to.deep.equal([['en kinds/tosteam'], ['en kinds/new'], ['en far/away', 'en was/here'], []])
    const other = { 'docs/other.md': '---\nslug: /brew/hot-water\n---\nx', 'docs/docs/tea/green.md': 'x' }
    const { formerPaths } = await textsOf({ ...DOCUSAURUS, ...other })
    const paths = ['brew/water', '01-tea/02-green', 'brew/brew', 'other', 'docs/tea/green'].map((path) =>
      formerPaths(path),
    )
    expect(paths).to.deep.equal([
      ['en docs/brew/hot-water'],
      ...[[], ['en docs/brew'], [], ['en docs/docs/tea/green']],
    ])
    const jekyll = {
      ...JEKYLL,
      '_posts/2019-08-07-old.md': '---\ncategories: Kinds tea\n---\nx',
      '_docs/own.md': '---\npermalink: /docs/own/\n---\nx',
    }
    const config = `redirects: { '/was/cup/': '/cups/tall#a', x: 1, "pot": "cups", '/[...a]': '/draft', 'd': '/draft' }`
    const astro = {
      ...{ 'astro.config.mjs': config, 'src/content/docs/cups/index.md': 'x' },
      'src/content/docs/cups/tall.mdx': '[a](/pot) [b](/was/cup)',
      'src/content/docs/draft.md': '---\ndraft: true\n---\nx',
    }
    const ofAstro = await textsOf(astro)
    expect(ofAstro.text('cups/tall')).to.equal('[a](/en/cups) [b](/en/cups/tall)')
    expect(ofAstro.formerPaths('draft')).to.deep.equal([])
    const posts = [
      [astro, 'cups/tall', 'was/cup'],
      [astro, 'cups', 'pot'],
      [jekyll, '_posts/2020-01-02-new-tea', '2020/01/02/new-tea'],
      [jekyll, '_posts/2019-08-07-old', 'kinds/tea/2019/08/07/old'],
      [jekyll, '_docs/own', 'docs/own'],
      [jekyll, 'cups/_posts/2021-03-04-tall', 'cups/2021/03/04/tall'],
      [BLOG, 'blog/2020-01-02-new-tea', 'news/2020/01/02/new-tea'],
      [HUGO_BLOG, 'posts/tea', '2022/03/kettle/tea'],
      [HUGO_BLOG, 'posts/1', '2022/03/kettle/cups-a-guide-new'],
      [HUGO_BLOG, 'news/tea', 'news/2022/03/04/own'],
    ] as const
    const { formerPaths: ofDefaults } = await textsOf({ ...jekyll, '_config.yml': 'title: x' })
    const old = ['en kinds/tea/2019/08/07/old', 'en kinds/tea/2019/08/07/old.html']
    expect(ofDefaults('_posts/2019-08-07-old')).to.deep.equal(old)
    for (const [files, path, address] of posts)
      expect((await textsOf(files)).formerPaths(path), path).to.deep.equal([`en ${address}`])
    const blog = await textsOf(HUGO_BLOG)
    expect(blog.text('a')).to.equal('[x](/2022/03/kettle/tea/)')
    expect(['old/cup', 'posts/undated'].map((path) => blog.formerPaths(path))).to.deep.equal([[], []])
  })

  it('are below the prefix of a source, with which its links lead there', async () => {
    const hugo = await textsOf({ ...HUGO, 'content/_index.md': '[a](/far/away/) [b](kinds/new)' }, [], 'w/x')
    expect(hugo.text('w/x')).to.equal('[a](/en/w/x/kinds/url) [b](/en/w/x/kinds/old)')
    expect(hugo.formerPaths('w/x/kinds/url')).to.deep.equal(['en w/x/far/away', 'en w/x/was/here'])
    const pages = { 'Home.md': '[[Cup]] [a](deep/Cup)', 'deep/Cup.md': '[[x|Home]] [h](/Home) ![](/a.png)' }
    const gollum = await textsOf({ ...pages, 'a.png': 'x' }, [], '/wiki/')
    expect(gollum.text('wiki')).to.equal('[[wiki/Cup\\|Cup]] [a](/en/wiki/deep/Cup)')
    expect(gollum.text('wiki/deep/Cup')).to.equal('[[wiki/Home\\|x]] [h](/en/wiki) ![](/a.png)')
    const former = ['wiki', 'wiki/deep/Cup'].map((path) => gollum.formerPaths(path))
    expect(former).to.deep.equal([['en wiki/Home'], ['en wiki/Cup']])
    const plain = await textsOf({ 'README.md': '[a](b/c.md)', 'b/c.md': '[d](../README.md)' }, [], 'wiki')
    expect(plain.text('wiki')).to.equal('[a](/en/wiki/b/c)')
    expect(plain.text('wiki/b/c')).to.equal('[d](/en/wiki)')
  })

  it('do not tell the address of a draft', async () => {
    const draft = { 'content/kinds/secret.md': '---\nurl: /plan/\ndraft: true\n---\nx' }
    const { text } = await textsOf({ ...HUGO, ...draft, 'content/kinds/green.md': '[a](/plan/)' })
    expect(text('kinds/green')).to.equal('[a](/plan/)')
  })

  it('lead to the default language where guests see no translation', async () => {
    const files = {
      'hugo.toml': 'defaultContentLanguage = "en"\n[languages.en]\nweight = 1\n[languages.fr]\nweight = 2\n',
      'content/tea.md': 'x',
      'content/tea.fr.md': 'x',
      'content/cup.md': 'x',
      'content/pot.md': 'x',
      ...{ 'content/kinds/black.md': 'x', 'content/kinds/new/a.fr.md': '---\ndraft: true\n---\nx' },
      'content/pot.fr.md': '---\ndraft: true\n---\nx',
      'content/mate.fr.md': '[a](../tea/) [b](/cup/#x) [c](../pot/) [d](/new/) [e](/kinds/) [f](/kinds/new/)',
    }
    expect((await textsOf(files)).text('mate', 'fr')).to.equal(
      '[a](/fr/tea) [b](/en/cup#x) [c](/en/pot) [d](/new/) [e](/en/kinds) [f](/kinds/new/)',
    )
  })
})

describe('import git: links between folders of languages without a configuration', () => {
  it('start in the folder of the language, also with its code or the name of the folder around it', async () => {
    const files = {
      'src/docs/en/tea/green.md': 'x',
      'src/docs/en/docs/x.md': 'x',
      'src/docs/en/cup.md': 'x',
      'src/docs/fr/tea/green.md': 'x',
      'src/docs/en/pot.md':
        '[a](/tea/green#x) [b](/fr/tea/green) [c](/docs/tea/green) [d](/docs/x) [e](tea/green.md)',
      'src/docs/fr/pot.md': '[a](/tea/green) [b](/cup) [c](/new)',
      'README.md': '[a](src/docs/en/pot.md)',
    }
    for (const layouts of [[], ['src/docs/{locale}/{path}.md', '{path}.md@en']]) {
      const { text } = await textsOf(files, layouts)
      expect(text('pot')).to.equal(
        '[a](/tea/green#x) [b](/fr/tea/green) [c](/en/tea/green) [d](/docs/x) [e](tea/green.md)',
      )
      expect(text('pot', 'fr')).to.equal('[a](/tea/green) [b](/en/cup) [c](/new)')
      expect(text(layouts.length > 0 ? 'README' : 'index')).to.equal('[a](/en/pot)')
    }
  })
})

describe('import git: home pages', () => {
  const HERO =
    'hero:\n  name: Tea\n  text: Green <b>tea</b>\n  tagline: For @all\n  actions:\n    - text: Start\n      link: ./guide/\n    - text: Web\n      link: https://tea.example\n'
  const SHOWN = 'Green tea\n\nFor @all\n\n[Start](./guide/) · [Web](https://tea.example)'
  const HOSTILE = [
    'hero:\n  text: "<!-- [x](javascript:alert(1)) <script>alert(1)</script>"\n  tagline: "::: tip"\n  actions:',
    '    - text: "a](b) <img src=x onerror=alert(1)>"\n      link: "javascript:alert(1)"',
    '    - &a {text: "a\\n# b", link: "/c\\n# d>"}',
    '    - [*a, x]\n    - 1\n  - wrong',
  ]
  const VITEPRESS = { '.vitepress/config.ts': '' }
  const STARLIGHT = { 'astro.config.mjs': '' }
  const VUEPRESS = { '.vuepress/config.ts': '' }
  const page = (front: string, body = '\nBody') => `---\n${front}---\n${body}`

  for (const [what, files, file, text, title, markdown] of [
    ['of VitePress', VITEPRESS, 'index.md', page(`layout: home\n${HERO}`), 'Tea', `${SHOWN}\n\nBody`],
    [
      'of VitePress, with features',
      VITEPRESS,
      'index.md',
      page(`${HERO}features:\n  - {title: "*A*", details: b_c, link: /d e}\n  - title: F\n  - details: G\n`),
      'Tea',
      `${SHOWN}\n\n- [<b>\\*A\\*</b>](/d%20e): b_c\n- **F**\n- G\n\nBody`,
    ],
    [
      'of Starlight, with another title',
      STARLIGHT,
      'src/content/docs/index.mdx',
      page('title: Home\ntemplate: splash\nhero:\n  title: All tea\n  tagline: import tea\n'),
      'Home',
      '**import tea**\n\nBody',
    ],
    [
      'of VuePress',
      VUEPRESS,
      'README.md',
      page('home: true\nheroText: Tea\ntagline: Hot\nactions:\n  - text: Start\n    link: /a.html\n', ''),
      'Tea',
      'Hot\n\n[Start](/en/a)\n\n',
    ],
    ['that is no home page', VUEPRESS, 'README.md', page('title: Tea\ntagline: Hot\n'), 'Tea', 'Body'],
    ['of a tool without them', {}, 'index.md', page(HERO), 'Tea', 'Body'],
  ] as [string, Files, string, string, string, string][])
    it(`show what their front matter says: ${what}`, async () => {
      const { text: textOf, title: titleOf } = await textsOf({ ...files, [file]: text })
      expect([titleOf('index'), textOf('index')]).to.deep.equal([title, markdown])
    })

  it('hostile ones are safe, and bounded', async () => {
    const addresses = makeWikiAddresses({ byLocale: {}, fallback: 'http://wiki.example' })
    const context = { addresses, locale: 'en', path: 'index', locales: new Set(['en']), dialect: 'vitepress' }
    const { text } = await textsOf({
      ...VITEPRESS,
      'index.md': page(`${HOSTILE.slice(0, 3).join('\n')}\n`),
      'broken.md': page(`${HOSTILE.join('\n')}\n`),
      'many.md': page(`home: true\nfeatures:\n${'  - title: a\n'.repeat(150)}`),
      'long.md': page(`hero:\n  text: ${'a'.repeat(3000)}\n`),
    })
    const html = boundedHtml(text('index'), context, 1_000_000)
    expect(html)
      .to.include('Body')
      .and.include('::: tip')
      .and.not.match(/<script|<img|<h1|href="javascript|<[^>]*onerror/)
    expect(text('broken')).to.include('Body')
    expect(text('many').match(/^- /gm)).to.have.length(50)
    expect(text('long')).to.have.length.below(1100)
  })
})

describe('import git: --layout obsidian', () => {
  const takeVault = async (layouts: string[]) => {
    const folder = newRepository()
    commit(folder, { 'Sencha.md': 'a %%secret%% b ![[cup.png]]', 'files/cup.png': 'x' })
    return take(folder, { layouts })
  }

  it('takes the files as a vault without an .obsidian folder', async () => {
    const { page } = await takeVault(['obsidian'])
    expect(page('Sencha').revisions[0]!.markdown).to.equal('a  b ![](/files/cup.png)')
  })

  it('takes a folder as a vault, and refuses one without texts', async () => {
    const folder = newRepository()
    const note = 'a %%secret%% b ![[cup.png]] [c](/Tea)'
    commit(folder, { 'README.md': 'x', 'my/notes/Sencha.md': note, 'my/notes/cup.png': 'x' })
    for (const layout of ['obsidian:my/notes', 'obsidian:my/notes/']) {
      const { pages } = await take(folder, { layouts: [layout] })
      expect(pages.map(({ path }) => path)).to.deep.equal(['Sencha'])
      expect(pages[0]!.revisions[0]!.markdown).to.equal('a  b ![](/cup.png) [c](/Tea)')
    }
    commit(folder, { 'en/Tea.md': 'x', 'de/Tea.md': 'x', 'de/Private.md': 'x' })
    const { pages } = await take(folder, { layouts: ['obsidian:en'] })
    expect(pages.map(({ locale, path }) => `${locale} ${path}`)).to.deep.equal(['en Tea'])
    expect(String(await take(folder, { layouts: ['obsidian:other'] }).catch(String))).to.include(
      'The layout obsidian:other matches no file',
    )
  })

  it('is proposed where texts have what may be comments', async () => {
    const { page, notes } = await takeVault(['{path}.md'])
    expect(page('Sencha').revisions[0]!.markdown).to.include('%%secret%%')
    expect(notes).to.match(
      /WARNING: edits with %%…%%.* set --layout obsidian; if not, --layout markdown: 1, first Sencha.md/,
    )
  })

  it('is refused beside a layout, and an unknown word is told of it', async () => {
    for (const layouts of [['obsidian', '{path}.md'], ['vault']])
      expect(await takeVault(layouts).then(String, String)).to.match(
        /must contain \{path\} once\..* or obsidian, obsidian:notes or markdown alone/,
      )
  })
})
