import {
  fileCandidates,
  fileNameKey,
  fileReference,
  fileReferences,
  mayReferToFiles,
} from '@lectern/wiki/files/references'
import { expect } from 'chai'

describe('references to files', () => {
  const cases: [markdown: string, references: string[]][] = [
    ['![A cup](images/cup.png)', ['images/cup.png']],
    [
      '![A cup](images/big%20cup.png "Cup") ![](<images/small cup.png>)',
      ['images/big cup.png', 'images/small cup.png'],
    ],
    ['[Prices](/files/prices.pdf?download=1#page=2)', ['/files/prices.pdf']],
    ['[![](a.png)](b.png)', ['b.png', 'a.png']],
    ['![](@site/static/a.png)', ['/static/a.png']],
    ['![cup][c]\n\n[c]: images/cup.png "Cup"', ['images/cup.png']],
    ['![](caf\u0065\u0301.png) ![](caf%C3%A9.png)', ['café.png']],
    ['<img alt="x" src="a.png" srcset="a-2x.png 2x, b.png 3x">', ['a.png', 'a-2x.png', 'b.png']],
    ['<p align="center">\n  <a href=\'a.pdf\'><IMG\n  SRC=a&amp;b.png></a>\n</p>', ['a.pdf', 'a&b.png']],
    [
      '<video src="tea.mp4" poster="tea.jpg"><source src="tea.webm"></video> <audio src="tea.ogg">',
      ['tea.mp4', 'tea.jpg', 'tea.webm', 'tea.ogg'],
    ],
    ['![[cup.png|300]] and [[prices.pdf]] and [[Green tea]]', ['[[cup.png]]', '[[prices.pdf]]']],
    [
      '![](/lib/exe/fetch.php?media=tea:cup.png) ![](/_media/tea:pot.png) [](/lib/exe/fetch.php/a.pdf)',
      ['/tea/cup.png', '/tea/pot.png', '/a.pdf'],
    ],
    ['![](../a/./b.png) ![](..\\c.png)', ['../a/./b.png', '../c.png']],
    [
      '| a |\n|---|\n| ![](in-table.png) |\n\n- ![](in-list.png)\n\n> ![](in-quote.png)',
      ['in-table.png', 'in-list.png', 'in-quote.png'],
    ],
    ['a[^1]\n\n[^1]: ![](in-footnote.png)', ['in-footnote.png']],
  ]
  for (const [markdown, references] of cases) {
    it(`finds ${references.join(', ')}`, () => {
      expect(fileReferences(markdown)).to.have.members(references)
    })
  }

  for (const markdown of [
    '![](https://example.org/a.png) ![](//example.org/b.png) ![](data:image/png;base64,AAAA)',
    '[page](tea.md) [page](tea) [v](v2.0) [site](tea.html) [folder](images/) [here](#a.png)',
    '`![](code.png)` and\n\n```\n![](fence.png)\n```\n\n    ![](indented.png)\n',
    '<!-- ![](hidden.png) --> <!-- <img src="hidden.png"> -->',
    '<!-- a comment\n\nof several paragraphs: ![](hidden.png)\n\n-->',
    '<span data-src="a.png" title="src=b.png">',
    '![](a\u0001.png) ![](%00.png)',
    `![](${'a'.repeat(1_100)}.png)`,
  ]) {
    it(`finds none in ${JSON.stringify(markdown.slice(0, 50))}`, () => {
      expect(fileReferences(markdown)).to.deep.equal([])
    })
  }

  it('finds what follows a comment', () => {
    expect(fileReferences('<!-- a\n\nb --> ![](a.png)\n\n![](b.png)')).to.deep.equal(['a.png', 'b.png'])
  })

  it('reads the URL that the HTML has as the same reference', () => {
    expect(fileReference('images/big%20cup.png?raw=true')).to.equal('images/big cup.png')
    expect(fileReference('images/100%.png')).to.equal('images/100%.png')
    expect(fileReference('https://example.org/a.png')).to.equal(null)
  })

  it('at most 2,000 of a text', () => {
    const markdown = Array.from({ length: 3_000 }, (_, i) => `![](${i}.png)`).join('\n')
    expect(fileReferences(markdown)).to.have.length(2_000)
  })

  for (const [name, mark] of Object.entries({
    'unclosed tags': '<img src="',
    'tags in quotes': '<img "a" ',
    'unclosed destinations': '[](a',
    'unclosed comments': '<!-- ',
    names: '[[a',
    candidates: '<img srcset="a',
  })) {
    it(`takes linear time: ${name}`, function () {
      this.timeout(20_000)
      expect(fileReferences(mark.repeat(400_000)).length).to.be.lessThan(2)
    })
  }
})

describe('a quick look for references to files', () => {
  for (const text of [
    '![](cup.png)',
    '<IMG src=cup.png>',
    '{{< figure src="assets/cup.png" width="50%" >}}',
    "<Figure src={require('./cup.png').default} />",
    '{% include figure.html src="cup.png" %}',
  ])
    it(`finds one in ${text}`, () => {
      expect(mayReferToFiles(text)).to.equal(true)
    })

  it('finds none in most texts', () => {
    for (const text of ['Version 1.5 of cup.png', '[tea](tea)', '{{< note >}} 2.0 {{< /note >}}'])
      expect(mayReferToFiles(text), text).to.equal(false)
  })
})

describe('candidates of a reference to a file', () => {
  const page = { path: 'tea/green', sourcePath: 'docs/tea/green.md', roots: ['static', 'docs', ''] }
  const cases: [reference: string, page: Parameters<typeof fileCandidates>[1], paths: string[]][] = [
    ['cup.png', page, ['docs/tea/cup.png']],
    ['./images/../cup.png', page, ['docs/tea/cup.png']],
    ['../../cup.png', page, ['cup.png']],
    ['../../../cup.png', page, []],
    ['/images/cup.png', page, ['static/images/cup.png', 'docs/images/cup.png', 'images/cup.png']],
    ['/../cup.png', page, []],
    ['cup.png', { path: 'tea/green', sourcePath: null, roots: [] }, ['tea/cup.png']],
    ['/cup.png', { path: 'tea/green', sourcePath: null, roots: [] }, ['cup.png']],
    [
      'tea/cup.png',
      { path: 'tea', sourcePath: 'docs/tea/index.md', roots: ['docs'] },
      ['docs/tea/cup.png', 'docs/tea/tea/cup.png'],
    ],
    [
      'tea/../cup.png',
      { path: 'tea', sourcePath: 'docs/tea/README.md', roots: ['docs'] },
      ['docs/cup.png', 'docs/tea/cup.png'],
    ],
    ['cup.png', { path: 'tea', sourcePath: 'docs/tea/index.md', roots: ['docs'] }, ['docs/tea/cup.png']],
  ]
  for (const [reference, from, paths] of cases) {
    it(`${reference} of ${from.sourcePath ?? from.path}: ${paths.join(', ') || 'none'}`, () => {
      expect(fileCandidates(reference, from)).to.deep.equal({ paths, nameKey: null })
    })
  }

  it('a reference by name has paths in the roots, and the name in lower case', () => {
    const found = fileCandidates('[[Images/Cup.PNG]]', { ...page, roots: ['vault'] })
    expect(found).to.deep.equal({ paths: ['vault/Images/Cup.PNG'], nameKey: 'cup.png' })
    expect(fileNameKey('vault/deep/images/CUP.png')).to.equal('cup.png')
    const inVault = fileCandidates('Cup.png', { ...page, dialect: 'obsidian' })
    expect(inVault).to.deep.equal({ paths: ['docs/tea/Cup.png'], nameKey: 'cup.png' })
    const beside = fileCandidates('/img/a.png', { ...page, roots: ['notes'], dialect: 'obsidian' })
    expect(beside.paths).to.deep.equal(['docs/img/a.png', 'notes/img/a.png', 'img/a.png'])
  })

  it('a translation has its own files, and shows those of the default language', () => {
    const translated = {
      path: 'tea/green',
      sourcePath: 'i18n/de/docs/tea/green.md',
      roots: ['static', 'docs', ''],
    }
    expect(fileCandidates('/cup.png', translated).paths).to.deep.equal([
      'i18n/de/docs/cup.png',
      'static/cup.png',
      'docs/cup.png',
      'cup.png',
    ])
    expect(fileCandidates('../cup.png', translated).paths).to.include.members([
      'i18n/de/docs/cup.png',
      'docs/cup.png',
    ])
    expect(fileCandidates('../../cup.png', translated).paths).to.deep.equal(['i18n/de/cup.png'])
    const folder = { ...translated, path: 'tea', sourcePath: 'i18n/de/docs/tea/index.md' }
    expect(fileCandidates('cup.png', folder).paths).to.include('docs/tea/cup.png')
  })

  it('on a site at which pages are folders, a reference is also relative to the folder of the page', () => {
    const found = (reference: string) => fileCandidates(reference, { ...page, dialect: 'mkdocs' }).paths
    expect(found('../../cup.png')).to.deep.equal(['cup.png', 'docs/cup.png'])
    expect(found('cup.png')).to.deep.equal(['docs/tea/cup.png'])
  })

  it('Sphinx: a reference from the root can begin in a folder of its pages', () => {
    const green = {
      path: 'user/tea/green',
      sourcePath: 'docs/user/tea/green.rst',
      roots: ['docs'],
      dialect: 'sphinx',
    }
    expect(fileCandidates('/cup.png', green).paths).to.deep.equal([
      'docs/cup.png',
      'docs/user/cup.png',
      'docs/user/tea/cup.png',
    ])
  })

  it('Hugo: a reference is also relative to the address of the page', () => {
    const index = { path: 'index', sourcePath: 'content/_index.md', roots: ['static', ''], dialect: 'hugo' }
    expect(fileCandidates('./cup.png', index).paths).to.deep.equal([
      'content/cup.png',
      'static/cup.png',
      'cup.png',
    ])
    const green = { ...index, path: 'tea/green', sourcePath: 'content/tea/green.md' }
    expect(fileCandidates('../cup.png', green).paths).to.include('static/tea/cup.png')
  })

  it('pictures of Antora can be in assets, and Sphinx can choose another format', () => {
    const found = (reference: string, dialect: string) =>
      fileCandidates(reference, { ...page, dialect }).paths
    expect(found('images/a.png', 'asciidoc')).to.deep.equal([
      'docs/tea/images/a.png',
      'docs/tea/assets/images/a.png',
    ])
    expect(found('../images/a.png', 'asciidoc')).to.include('docs/assets/images/a.png')
    const index = { path: 'tea', sourcePath: 'm/pages/tea/index.adoc', roots: [], dialect: 'asciidoc' }
    expect(fileCandidates('tea/../../images/a.png', index).paths).to.include('m/assets/images/a.png')
    expect(found('a.svg', 'sphinx')).to.deep.equal(['docs/tea/a.svg', 'docs/tea/a.png'])
  })
})
