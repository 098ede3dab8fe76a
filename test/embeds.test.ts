import { openFolderSource } from '@lectern/import-files/folder/source'
import { tableOfBase } from '@lectern/wiki/dialects/bases'
import { embedsIn, propertiesIn, withEmbeds } from '@lectern/wiki/dialects/embeds'
import { expect } from 'chai'
import type { Database } from '../src/db/database.ts'
import { runImport } from '../src/write/run-import.ts'
import { cpuTimeOf } from './support/cpu-time.ts'
import { testDatabase } from './support/database.ts'
import { newNotesFolder, writeFiles } from './support/folder.ts'
import { withService } from './support/service.ts'
import { clearWorld } from './support/world.ts'

const NOTE = 'Top\n\n# Steaming\nHot ![[Mate]]\n\n## Green\nShort ^cup\n\n- one\n- two ^two\n\n# Rest\nx\n'

const shown = (text: string, note: string | undefined = NOTE) =>
  withEmbeds(text, embedsIn(text), (name) => (name === 'Tea' ? note : undefined)).markdown

describe('embeds of notes', () => {
  it('show a note, a section or a block as a quotation that links to the note', () => {
    expect(shown('a\n![[Tea#Steaming]]\nb')).to.equal(
      'a\n\n> [[Tea#Steaming]]\n>\n> **Steaming**\n> Hot ![[Mate]]\n>\n> **Green**\n> Short ^cup\n>\n> - one\n> - two ^two\n\nb',
    )
    expect(shown('![[Tea#^cup]]')).to.equal(
      '\n> [[Tea]]\n>\n> ## Green\n> Short\n'.replace('## Green', '**Green**'),
    )
    expect(shown('![[Tea]]', '|  |  |\n| --- | --- |\n| a | property |\n\nA')).to.equal(
      '\n> [[Tea]]\n>\n> A\n',
    )
    expect(shown('![[Tea^two|x]]')).to.equal('\n> [[Tea]]\n>\n> - two\n')
    expect(shown('![[Tea]]', '`[[#a]]` [[#B]] [[#^c]]\n\n| [[#d\\|e]] |\n')).to.equal(
      '\n> [[Tea]]\n>\n> `[[#a]]` [[Tea#B\\|B]] [[Tea#c\\|^c]]\n>\n> | [[Tea#d\\|e]] |\n',
    )
    expect(shown('![[tea.png]]\n![[Tea.md]]', 'A')).to.equal('![[tea.png]]\n\n> [[Tea]]\n>\n> A\n')
  })

  it('show a block whose id is on a line of its own', () => {
    const note = '- a\n\n| b |\n|---|\n\n^table\n\n```\nc\n\n^no\n```\n^code\n\n- d\n\n- e\n\n^list\n'
    expect(shown('![[Tea#^table]]', note)).to.equal('\n> [[Tea]]\n>\n> | b |\n> |---|\n')
    expect(shown('![[Tea#^code]]', note)).to.equal('\n> [[Tea]]\n>\n> ```\n> c\n>\n> ^no\n> ```\n')
    expect(shown('![[Tea#^list]]', note)).to.equal('\n> [[Tea]]\n>\n> - d\n>\n> - e\n')
    expect(shown('![[Tea#^no]]', note)).to.equal('![[Tea#^no]]')
  })

  it('find a heading whose signs Obsidian leaves out of links', () => {
    for (const part of ['Heat how hot (60 °C)?', 'Heat: how hot (60 °C)?', 'heat how hot 60 c'])
      expect(shown(`![[Tea#${part}]]`, 'x\n## Heat: how | hot (60 °C)?\ny')).to.match(/how \| hot.*\n> y/)
  })

  it('are shown alone in quotations, callouts and items', () => {
    expect(shown('> [!tip]\n> ![[Tea]]\n> b', 'A')).to.equal('> [!tip]\n>\n> > [[Tea]]\n> >\n> > A\n>\n> b')
    expect(shown('- ![[Tea]]\n- b', 'A\n\nB')).to.equal('- > [[Tea]]\n  >\n  > A\n  >\n  > B\n\n- b')
    expect(shown('> 1. ![[Tea]]', 'A')).to.equal('> 1. > [[Tea]]\n>    >\n>    > A\n>')
  })

  it('are shown after the text of a paragraph', () => {
    const text = 'a\nSee ![[Tea|b]]\nb'
    expect(shown(text, 'A')).to.equal('a\nSee \n> [[Tea]]\n>\n> A\n\nb')
    expect(shown('> - [x] a ![[Tea]]\n> - b', 'A')).to.equal(
      '> - [x] a \n>   > [[Tea]]\n>   >\n>   > A\n>\n> - b',
    )
    expect(withEmbeds(text, embedsIn(text), () => 'A').offsetOf(text.length)).to.equal(25)
  })

  it('stay links if there is no such note or part, within a line, and in code', () => {
    for (const text of [
      '![[Mate]]',
      '![[Tea#None]]',
      '![[Tea#^none]]',
      'See ![[Tea]].',
      '# A ![[Tea]]',
      '| ![[Tea]]',
      '```\n![[Tea]]\n```',
    ])
      expect(shown(text)).to.equal(text)
  })

  it('tell where an offset of the text is', () => {
    const text = 'ab\n![[Tea]]\ncd'
    const { markdown, offsetOf } = withEmbeds(text, embedsIn(text), () => 'x')
    expect(offsetOf(1)).to.equal(1)
    expect(markdown.slice(offsetOf(text.indexOf('cd')))).to.equal('cd')
  })

  it('take linear time', () => {
    const time = (count: number) => {
      const note = `${'# a\n```\n'.repeat(count)}${'x ^y\n'.repeat(count)}`
      return cpuTimeOf(() => shown('![[Tea#z]]\n![[Tea#^z]]\n'.repeat(count), note))
    }
    time(500)
    expect(time(8_000)).to.be.below(40 * Math.max(time(1_000), 5))
  })
})

describe('bases', () => {
  const noteOf = (path: string, tag: string, rating: string, by: string) => {
    const table = `|  |  |\n| --- | --- |\n| rating | ${rating} |\n| by | ${by} |\n`
    return {
      ...{ locale: 'en', path, tags: [tag] },
      properties: new Map(propertiesIn(table).map((one) => [one.name, one])),
    }
  }
  const notes = [
    noteOf('teas/Sencha', 'tea', '10', '[[People/Ann\\|A]], [[Bo]] '),
    noteOf('teas/Mate', 'herb', '9', '[[Bo]]'),
    noteOf('Cup', 'cup', '', 'a \\| b'),
  ]
  const names = (filter: string, more = '', view = '') => {
    const base = `filters: ${JSON.stringify(filter)}\nviews: [{type: table, name: A${more}}, {type: map, name: Map}]`
    const rows = tableOfBase(base, view, notes, { locale: 'en', path: 'x/Bo' })?.split('\n').slice(2)
    return rows?.map((row) => row.replace(/^\| \[(\w+)\].*/, '$1')).join()
  }

  it('list the notes that match, in order', () => {
    for (const [filter, expected] of [
      ['file.hasTag("#Tea")', 'Sencha'],
      ['file.inFolder("teas/")', 'Sencha,Mate'],
      ['rating > 9', 'Sencha'],
      ['note.rating <= 10', 'Sencha,Mate'],
      ['rating != 9', 'Sencha,Cup'],
      ['rating.isEmpty()', 'Cup'],
      ['!file.name.contains("e")', 'Cup'],
      ['list(by).contains(this)', 'Sencha,Mate'],
      ['by.contains(link("Ann"))', 'Sencha'],
      ["file.folder == ''", 'Cup'],
    ])
      expect(names(filter!), filter).to.equal(expected)
    expect(names('file.ext == "md"', ', sort: [{property: rating, direction: DESC}]')).to.equal(
      'Sencha,Mate,Cup',
    )
    expect(names('rating > 1', ', sort: [{property: rating}], limit: 1')).to.equal('Mate')
    expect(names('rating > 1', ', limit: -1')).to.equal('Sencha,Mate')
    expect(names('rating > 99')).to.equal('')
  })

  it('show properties as their notes do, under the names of columns', () => {
    const base =
      'properties: {note.by: {displayName: "By | of"}}\nfilters: {not: [{and: [rating > 1]}]}\nviews: [{type: cards, order: [file.name, by]}]'
    expect(tableOfBase(base, '', notes, notes[0]!)).to.equal(
      '| name | By \\| of |\n| --- | --- |\n| [Cup](/en/Cup) | a \\| b |',
    )
  })

  it('are no longer than a page can be', () => {
    const markdown = 'b'.repeat(20_000)
    const long = [{ ...notes[0]!, properties: new Map([['by', { name: 'by', value: markdown, markdown }]]) }]
    const base = 'views: [{type: table, order: [by]}]'
    expect(tableOfBase(base, '', Array(9).fill(long[0]), notes[0]!)).to.have.length.within(80_000, 101_000)
  })

  it('are no tables if anything is not understood', () => {
    for (const filter of [
      'a > now()',
      'formula.x > 1',
      'a && b',
      'file.hasLink(this)',
      `a == "${'b'.repeat(600)}"`,
    ])
      expect(names(filter), filter).to.equal(undefined)
    expect(names('file.ext == "md"', ', order: [formula.x]')).to.equal(undefined)
    expect(names('file.ext == "md"', '', 'Map')).to.equal(undefined)
    for (const base of [
      '[',
      'views: 1',
      'views: [{type: table, order: 1}]',
      `views: [{type: table, order: [${'by, '.repeat(101)}]}]`,
      `filters: {or: [${'rating > 1, '.repeat(101)}]}\nviews: [{type: table}]`,
      'filters: &all {or: [*all]}\nviews: [{type: table}]',
      '- '.repeat(9_000),
      '[['.repeat(9_000),
    ])
      expect(tableOfBase(base, '', notes, notes[0]!), base.slice(0, 40)).to.equal(null)
  })
})

describe('embeds of notes in a wiki', () => {
  const test = withService()
  let owner: Database
  let folder: string

  before(async () => {
    owner = (await testDatabase()).owner
  })
  beforeEach(async () => {
    await clearWorld()
    folder = newNotesFolder()
    writeFiles(folder, { '.obsidian/app.json': '{}' })
  })

  const importing = async () => {
    await runImport(owner, (stored) =>
      openFolderSource(folder, { layouts: [], name: 'Notes', stored: () => stored }),
    )
    test.service.invalidate()
  }
  const html = async (path = 'day', query = 'format=html') =>
    (await test.get(`/pages/${path}?${query}`)).body.html

  it('show only what guests see, and follow the note', async () => {
    const day = '![[Tea]]\n\n# After\n\nThe end\n'
    writeFiles(folder, {
      'day.md': day,
      'Tea.md': '# Green\n\nSteam it, as [[day]] says, not [[Mate]]. %%secret%%\n',
    })
    await importing()
    const shownHtml = await html()
    expect(shownHtml).to.include('<blockquote>').and.include('Steam it')
    expect(shownHtml)
      .to.match(/<a href="[^"]*\/Tea">Tea<\/a>/)
      .and.match(/<a href="[^"]*\/day">day<\/a>/)
      .and.match(/<a href="[^"]*\/Mate" class="unwritten">Mate<\/a>/)
    expect(shownHtml).not.to.include('secret').and.not.to.include('id="green"')
    expect(await html('day', 'format=html&section=after'))
      .to.include('The end')
      .and.not.to.include('Steam')
    expect((await test.get('/pages/day')).body.markdown).to.equal(day)

    writeFiles(folder, { 'Tea.md': 'Boil it.\n' })
    await importing()
    expect(await html())
      .to.include('Boil it')
      .and.not.to.include('Steam it')

    writeFiles(folder, { 'Tea.md': '---\npublished: false\n---\nBoil it.\n' })
    await importing()
    expect(await html())
      .not.to.include('Boil it')
      .and.not.to.include('Steam it')
  })

  it('show bases as tables of the notes that guests see now', async () => {
    const base = 'filters: file.hasTag("tea")\nviews: [{type: table, name: All, order: [file.name, by]}]'
    const tea = (by: string) => `---\ntags: [tea/green]\nby: "${by}"\n---\nx\n`
    writeFiles(folder, {
      'bases/Teas.base': base,
      'day.md': `![[Teas.base#All]]\n\n> \`\`\`base\n> ${base.replace('\n', '\n> ')}\n> \`\`\`\n\n![[Teas.base#None]]\n`,
      'Sencha.md': tea('[[Ann]]'),
      'Mate.md': tea('Bo').replace('x\n', 'y\n').replace('by', 'draft: true\nby'),
    })
    await importing()
    const shownHtml = await html()
    expect(shownHtml.match(/<td>/g)).to.have.length(4)
    expect(shownHtml).to.match(/<td><a href="[^"]*Sencha">Sencha<\/a><\/td>\n<td><a [^>]*>Ann<\/a>/)
    expect(shownHtml)
      .to.match(/Teas\.base" rel="nofollow">Teas\.base#None/)
      .and.not.match(/Mate|Bo/)

    writeFiles(folder, { 'Sencha.md': tea('Cy'), 'Mate.md': tea('Di') })
    await importing()
    expect(await html()).to.match(/Mate<[\s\S]*Di<[\s\S]*Sencha<[\s\S]*Cy</)
  })

  it('properties of a note are data', async () => {
    const fields =
      'rating: 7\nof:\n  - "[[Tea|A tea]]"\n  - "a|b, $5_c"\nyears: [2.5, "07"]\nby: [A]\nabout: a, b\nread: false\n"x`y": `z`\naliases: Q\n'
    writeFiles(folder, {
      'day.md': `---\n${fields}---\nText\n`,
      'night.md': '---\nhour: 3\n---\n',
      'Tea.md': 'x\n',
    })
    await importing()
    const expected = [
      { name: 'rating', value: 7 },
      { name: 'of', value: ['A tea', 'a|b, $5_c'] },
      { name: 'years', value: [2.5, '07'] },
      { name: 'by', value: ['A'] },
      { name: 'about', value: 'a, b' },
      { name: 'read', value: false },
      { name: 'x`y', value: '`z`' },
    ]
    const hour = { name: 'hour', value: 3 }
    expect((await test.get('/pages/day?include=properties')).body.properties).to.deep.equal(expected)
    const { items } = (await test.get('/pages?include=properties')).body
    const found = items.map(({ properties }: { properties: object[] }) => properties)
    expect(found).to.deep.equal([[], expected, [hour]])
    const query = '{ page(locale: "en", path: "night") { revision { properties { name value } } } }'
    const url = `${test.service.internalUrl}/graphql?query=${encodeURIComponent(query)}`
    const { data } = (await (await fetch(url)).json()) as { data: object }
    expect(data).to.deep.equal({ page: { revision: { properties: [hour] } } })
  })

  it('the summary of a note is its description, if it has one, which its table leaves out', async () => {
    const note = (properties: string) => `---\n${properties}\n---\nOf a day.`
    writeFiles(folder, {
      'day.md': note('rating: 7\ndescription: A good one.'),
      'night.md': note('rating: 8'),
    })
    await importing()
    const { items } = (await test.get('/pages?path=day&path=night&include=summary')).body
    expect(items.map(({ summary }: { summary: string }) => summary)).to.deep.equal([
      'A good one.',
      'Of a day.',
    ])
    expect(await html())
      .to.include('rating')
      .and.not.to.include('good one')
    const { properties } = (await test.get('/pages/day?include=properties')).body
    expect(properties).to.deep.include({ name: 'description', value: 'A good one.' })
    writeFiles(folder, { 'day.md': note('description: A good one.') })
    await importing()
    expect(await html()).to.equal('<p>Of a day.</p>\n')
  })

  it('in embeds are shown, unless guests do not see them, and circles end', async () => {
    writeFiles(folder, {
      'day.md': 'A\n\n![[day]]\n\n![[night]]\n',
      'night.md': 'B\n\n- c ![[day]]\n- ![[Dawn]]\n',
      'Dawn.md': 'D ![[night]]\n\n![[Draft]]\n',
      'Draft.md': '---\ndraft: true\n---\nE\n',
    })
    await importing()
    const text = (await html()).replace(/<[^>]*>/g, ' ')
    const counts = ['A', 'B', 'D ', 'E'].map((letter) => text.split(letter).length - 1)
    expect(counts).to.deep.equal([2, 1, 1, 0])
  })
})
