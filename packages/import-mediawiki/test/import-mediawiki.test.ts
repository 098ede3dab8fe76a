import { gzipSync } from 'node:zlib'
import { openMediawikiSource } from '@lectern/import-mediawiki/dump'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import fc from 'fast-check'
import { runImport } from '../../../src/write/run-import.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { failureOf, usageErrorOf } from '../../../test/support/failures.ts'
import { exportText, withFile } from '../../../test/support/importing.ts'
import { dump, dumpedEdit, dumpedPage, readDump } from '../../../test/support/mediawiki.ts'
import { rounds } from '../../../test/support/rounds.ts'
import { withService } from '../../../test/support/service.ts'
import { clearWorld } from '../../../test/support/world.ts'

const { owner } = await testDatabase()

/** A small dump in two bzip2 streams. */
const BZIP2 = [
  'QlpoOTFBWSZTWe2oxywAABQbgFAD4BcMgD/v3eAgAIqGmo1RtEeNU9Rpkwjaag00KntJPSemUaDQ0aAyNPbt78IjUj8uE0SAaEnayV8DFXBBaOjcaenPLyo95FQMBdRrsBREvrbETsknFc6Ty2FLlR56qRyI2Nbx0S6t00bqopNueKCnJAYY4jxVRVgIlLdtjYndYtQQz1D1R5Bs1Jj9ORLo0epgViGEXwK/xdyRThQkO2oxywA=',
  'QlpoOTFBWSZTWQeNBF8AABYfyVAC9hcgAAQQPq/f4AIFAQAAwCAAhQ0FJtGamUNGmmhmoNGIJVNNB6U9NBDTEYABNkzw9iAYVMcBKKGcd1iodFBsY04cVIp3ZXjGtUn3xcrl3vjJz3iAgV/W5RhMSnkYYWiCi0IXKdNAaz2IxhoJMOGiLFMWSjRQ4iMyQWJCKSAY9oIPj4URm7dUhuHMIuYrEsEJddtNadv4u5IpwoSAPGgi+A==',
].map((part) => Buffer.from(part, 'base64'))

const refusalOf = (
  content: string | Uint8Array,
  options: Parameters<typeof readDump>[1] = {},
  name = 'dump.xml',
): Promise<string> => usageErrorOf(readDump(content, options, name))

const readPages = (...pages: string[]) => readDump(dump(pages))

describe('import mediawiki: reading a dump', () => {
  for (const version of ['0.10', '0.11']) {
    it(`version ${version}: reads the wiki, its pages and their edits`, async () => {
      const { wiki, page, categories } = await readDump(
        dump(
          [
            dumpedPage('Green tea', [
              { id: 7, at: '2024-05-01T12:00:00Z', by: 'Ada', comment: 'first & last', text: "'''Tea'''" },
              { id: 9, at: '2024-05-02T12:00:00Z', by: 'Борис', text: 'Tea & leaf\n[[Category:Teas]]' },
            ]),
          ],
          { version },
        ),
      )
      expect(wiki).to.deep.equal({
        type: 'wiki',
        name: 'Tea Wiki',
        default_locale: 'en',
        license: undefined,
        locales: [{ locale: 'en', name: 'English' }],
      })
      const { path, state, locale, revisions } = page('Green_tea')
      expect([path, state, locale]).to.deep.equal(['Green_tea', 'live', 'en'])
      expect(revisions.map(({ id, ...rest }) => rest)).to.deep.equal([
        {
          created_at: '2024-05-01T12:00:00.000000Z',
          author: 'Ada',
          comment: 'first & last',
          status: 'accepted',
          title: 'Green tea',
          markdown: '**Tea**\n',
          categories: [],
        },
        {
          created_at: '2024-05-02T12:00:00.000000Z',
          author: 'Борис',
          comment: '',
          status: 'accepted',
          title: 'Green tea',
          markdown: 'Tea & leaf\n',
          categories: [{ key: 'Teas', sort_key: 'green tea' }],
        },
      ])
      expect(categories).to.deep.equal([{ type: 'category', locale: 'en', key: 'Teas', name: 'Teas' }])
    })
  }

  it('reads a dump compressed with gzip', async () => {
    const { paths } = await readDump(gzipSync(dump([dumpedPage('Sencha')])), {}, 'dump.xml.gz')
    expect(paths).to.deep.equal(['Sencha'])
  })

  it('reads a dump compressed with bzip2 in several streams, as parallel compressors write it', async () => {
    const { page } = await readDump(Buffer.concat(BZIP2), {}, 'dump.xml.bz2')
    expect(page('Sencha').revisions[0]!.markdown).to.equal('煎茶\n')
  })

  it('derives ids that keep the order of edits within a second, and that are the same each time', async () => {
    const at = '2024-05-01T12:00:00Z'
    const text = dump([
      dumpedPage('Sencha', [
        { id: 300, at },
        { id: 31, at },
        { id: 4, at },
      ]),
    ])
    const ids = (await readDump(text)).page('Sencha').revisions.map(({ id }) => id!)
    expect([...ids].sort()).to.deep.equal([ids[2], ids[1], ids[0]])
    expect(ids[0]).to.match(/^00000000-012c-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect((await readDump(text)).page('Sencha').revisions.map(({ id }) => id)).to.deep.equal(ids)
    const other = await readDump(text, { locale: 'de' })
    expect(other.page('Sencha').revisions[0]!.id).to.not.equal(ids[0])
  })

  describe('pages', () => {
    it('imports main, templates, modules and categories, and counts pages of other namespaces', async () => {
      const { paths, notes } = await readPages(
        dumpedPage('Tea: a history'),
        dumpedPage('Template:Tea box', '{{{1}}}', { ns: 10 }),
        dumpedPage('Module:Tea', [{ model: 'Scribunto', text: 'return 1' }], { ns: 828 }),
        dumpedPage('Category:Green teas', 'Green.', { ns: 14 }),
        dumpedPage('Talk:Sencha', 'x', { ns: 1 }),
        dumpedPage('User:Ada', 'x', { ns: 2 }),
      )
      expect(paths).to.deep.equal(['Tea:_a_history', 'template:Tea_box', 'module:Tea', 'category:Green_teas'])
      expect(notes).to.include(
        'Pages of other namespaces left out (--namespace imports them): 2, first Talk:Sencha',
      )
    })

    it('accepts other namespaces by number, or by name in English or the language of the wiki', async () => {
      const text = dump(
        [dumpedPage('Hilfe:Wasser', 'x', { ns: 12 }), dumpedPage('Diskussion:Tee', 'x', { ns: 1 })],
        { namespaces: { 12: 'Hilfe', 1: 'Diskussion' } },
      )
      for (const namespace of ['hilfe', 'Help', '12']) {
        expect((await readDump(text, { namespaces: [namespace] })).paths).to.deep.equal(['Hilfe:Wasser'])
      }
      expect((await readDump(text, { namespaces: ['12', 'Talk'] })).paths).to.have.length(2)
      expect(await refusalOf(text, { namespaces: ['Portal'] })).to.include('no namespace Portal')
    })

    it('reads namespaces in the language of the wiki', async () => {
      const { paths, page, categories } = await readDump(
        dump(
          [
            dumpedPage('Шаблон:Чай', '{{x}} <noinclude>[[Категория:Шаблоны]]</noinclude>', { ns: 10 }),
            dumpedPage('Категория:Чаи', 'Все чаи.', { ns: 14 }),
          ],
          { language: 'ru', namespaces: { 10: 'Шаблон', 14: 'Категория' } },
        ),
      )
      expect(paths).to.deep.equal(['template:Чай', 'category:Чаи'])
      expect(page('template:Чай').revisions[0]!.title).to.equal('Шаблон:Чай')
      expect(page('category:Чаи').revisions[0]!.title).to.equal('Чаи')
      expect(categories.map(({ key, name }) => [key, name])).to.deep.equal([
        ['Шаблоны', 'Шаблоны'],
        ['Чаи', 'Чаи'],
      ])
    })

    it('imports templates and modules as code', async () => {
      const { page, notes } = await readPages(
        dumpedPage('Template:Box', "'''{{{1}}}'''", { ns: 10 }),
        dumpedPage('Module:Tea', [{ model: 'Scribunto', text: 'return "```"' }], { ns: 828 }),
        dumpedPage('Common.css', [{ model: 'css', text: 'a {}' }]),
      )
      expect(page('template:Box').revisions[0]!.markdown).to.equal("```wikitext\n'''{{{1}}}'''\n```\n")
      expect(page('module:Tea').revisions[0]!.markdown).to.equal('````lua\nreturn "```"\n````\n')
      expect(page('Common.css').revisions[0]!.markdown).to.equal('```css\na {}\n```\n')
      expect(notes).to.include('imported as code: 2')
    })

    it('keeps unusual titles', async () => {
      const titles = ['100% C++ & "AT&T" (tea)?', 'Суп/Борщ №1', '🍵 ʻOkina’s – tea', 'A/history', '...']
      const { pages } = await readDump(dump(titles.map((title) => dumpedPage(title))))
      expect(pages.map(({ revisions }) => revisions[0]!.title)).to.deep.equal(titles)
      expect(pages[0]!.path).to.equal('100%_C++_&_"AT&T"_(tea)?')
    })

    it('leaves out a title that is too long for a path', async () => {
      const { paths, notes } = await readPages(dumpedPage('茶'.repeat(171)), dumpedPage('Tea'))
      expect(paths).to.deep.equal(['Tea'])
      expect(notes).to.include('at most 512 bytes of UTF-8 without control characters: 1')
    })

    it('keeps small first letters of titles on a case-sensitive wiki', async () => {
      const text = dump([dumpedPage('tea', '[[leaf]]')], { letters: 'case-sensitive' })
      expect((await readDump(text)).page('tea').revisions[0]!.markdown).to.equal('[leaf](/en/leaf)\n')
    })

    it('uses DISPLAYTITLE if it differs only in case and format', async () => {
      const { pages } = await readPages(
        dumpedPage('ITea', "{{DISPLAYTITLE:''iTea''}}"),
        dumpedPage('Other', '{{DISPLAYTITLE:Tea}}'),
      )
      expect(pages.map(({ revisions }) => revisions[0]!.title)).to.deep.equal(['iTea', 'Other'])
    })

    it('imports redirects as pages that link to their target, or leaves them out', async () => {
      const text = dump([
        dumpedPage('Steamed tea', '#REDIRECT [[Sencha]]', { redirect: 'Sencha' }),
        dumpedPage('Чай', '#АЙДА [[Sencha]]', { redirect: 'Sencha' }),
      ])
      const { pages, notes } = await readDump(text)
      expect(pages.map(({ revisions }) => revisions[0]!.markdown)).to.deep.equal([
        '→ [Sencha](/en/Sencha)\n',
        '→ [Sencha](/en/Sencha)\n',
      ])
      expect(notes).to.include('Redirects imported as pages that link to their target')
      const without = await readDump(text, { redirects: false })
      expect(without.pages).to.deep.equal([])
      expect(without.notes).to.include('Redirects left out: 2')
    })

    it('derives the same translation group from every dump', async () => {
      const en = dump([dumpedPage('Sencha', '[[ru:Сэнтя]] [[de:sencha]]')])
      const ru = dump([dumpedPage('Сэнтя', '[[en:sencha]] [[de:Sencha]]')], { language: 'ru' })
      const withoutEnglish = dump([dumpedPage('Сэнтя', '[[de:Sencha]]')], { language: 'ru' })
      expect((await readDump(en)).pages[0]!.translation_group).to.equal('en:Sencha')
      expect((await readDump(ru)).pages[0]!.translation_group).to.equal('en:Sencha')
      expect((await readDump(withoutEnglish)).pages[0]!.translation_group).to.equal('de:Sencha')
      expect((await readPages(dumpedPage('Tea'))).pages[0]).to.not.have.property('translation_group')
    })
  })

  describe('edits', () => {
    it('imports a hidden text as a rejected, empty edit, and omits a hidden author or comment', async () => {
      const { page, notes } = await readPages(
        dumpedPage('Sencha', [
          {
            contributor: '<contributor deleted="deleted" />',
            commentElement: '<comment deleted="deleted" />',
            textElement: '<text bytes="15" sha1="el2j7xpif69a812svyyuag8jph7eypi" deleted="deleted" />',
          },
          {
            contributor: '<contributor deleted="deleted" />',
            commentElement: '<comment deleted="deleted" />',
          },
        ]),
      )
      const shown = page('Sencha').revisions.map(({ status, markdown, author, comment }) => [
        status,
        markdown,
        author,
        comment,
      ])
      expect(shown).to.deep.equal([
        ['rejected', '', '', ''],
        ['accepted', 'text\n', '', ''],
      ])
      expect(notes).to.include('Edits whose text is hidden on the wiki; guests never see them: 1')
      expect(notes).to.include('Edits whose author is hidden on the wiki')
    })

    it('uses the IP address as the author of an anonymous edit', async () => {
      const { page } = await readPages(
        dumpedPage('Tea', [{ contributor: '<contributor><ip>192.0.2.7</ip></contributor>' }]),
      )
      expect(page('Tea').revisions[0]!.author).to.equal('192.0.2.7')
    })

    it('reads the main slot of an edit with several slots', async () => {
      const slot = `<content><role>extra</role><model>json</model><format>x</format><text bytes="9">{"a":"b"}</text></content>`
      const edit = dumpedEdit({ text: 'main' }).replace('</revision>', `${slot}</revision>`)
      const { page } = await readDump(dump([`<page><title>Tea</title><ns>0</ns><id>1</id>${edit}</page>`]))
      expect(page('Tea').revisions.map(({ markdown }) => markdown)).to.deep.equal(['main\n'])
    })

    it('leaves out edits without a text, and refuses a dump without any text', async () => {
      const stub = { textElement: '<text id="12" bytes="15" />' }
      const { page, notes } = await readPages(dumpedPage('Tea', [stub, { text: 'b' }]))
      expect(page('Tea').revisions).to.have.length(1)
      expect(notes).to.include('the wiki gives no text for them: 1')
      expect(await refusalOf(dump([dumpedPage('Tea', [stub])]))).to.include('contains no texts')
    })

    it('imports an empty text', async () => {
      const { page } = await readPages(dumpedPage('Tea', [{ textElement: '<text bytes="0" />' }]))
      expect(page('Tea').revisions[0]).to.include({ status: 'accepted', markdown: '' })
    })

    it('uses the sort key of the category, DEFAULTSORT, or the title without its namespace', async () => {
      const { page } = await readPages(
        dumpedPage('Category:Teas', '[[Category:A|Key]] [[Category:B]]', { ns: 14 }),
        dumpedPage('Tea', '[[Category:A|Key]] [[Category:B]] {{DEFAULTSORT:Leaf}}'),
      )
      const keys = (path: string) => page(path).revisions[0]!.categories.map((one) => one.sort_key)
      expect(keys('category:Teas')).to.deep.equal(['key', 'teas'])
      expect(keys('Tea')).to.deep.equal(['key', 'leaf'])
    })

    it('names categories by newest texts only', async () => {
      const { categories } = await readPages(
        dumpedPage('Tea', [
          { at: '2024-05-02T12:00:00Z', text: '[[Category:New]]' },
          { at: '2024-05-01T12:00:00Z', text: '[[Category:Old]]' },
        ]),
      )
      expect(categories.map(({ key }) => key)).to.deep.equal(['New'])
    })

    it('divides a page with many edits into several records, to bound memory', async () => {
      const edits = Array.from({ length: 1201 }, (_, i) => ({ text: `edit ${i}` }))
      const { pages } = await readPages(dumpedPage('Tea', edits))
      expect(pages.map(({ path, revisions }) => [path, revisions.length])).to.deep.equal([
        ['Tea', 500],
        ['Tea', 500],
        ['Tea', 201],
      ])
    })
  })

  describe('options', () => {
    it('sets name, language and license of the wiki', async () => {
      const { wiki, page } = await readDump(dump([dumpedPage('Tea')]), {
        name: 'Leaves',
        locale: 'pt-BR',
        license: 'https://license.example/',
      })
      expect(wiki).to.include({
        name: 'Leaves',
        default_locale: 'pt-br',
        license: 'https://license.example/',
      })
      expect(page('Tea').locale).to.equal('pt-br')
    })

    it('refuses invalid options', async () => {
      const text = dump([dumpedPage('Tea')])
      expect(await refusalOf(text, { locale: 'x' })).to.include('x is not a locale code')
      expect(await refusalOf(text, { license: 'free' })).to.include('license')
      expect(await refusalOf(dump([], { language: '' }))).to.include('--locale')
      const missing = await openMediawikiSource('/no/such/dump.xml', {
        namespaces: [],
        redirects: true,
      }).catch((error: Error) => error)
      expect(missing).to.be.instanceOf(UsageError)
    })
  })

  describe('refuses an invalid dump, and names the line', () => {
    const cases: Record<string, [string | Buffer, string]> = {
      'a file that is not XML': ['{"name":"tea"}\n', 'is this file a MediaWiki dump?'],
      'another XML format': [
        '<?xml version="1.0"?>\n<html></html>',
        'Line 2: a MediaWiki dump starts with <mediawiki>',
      ],
      'another version': [dump([], { version: '0.9' }), 'Line 1: the version of the dump is "0.9"'],
      'no end': [dump([dumpedPage('Tea')]).slice(0, -30), 'unclosed tag'],
      'tags that do not match': [dump(['<page><title>Tea</ns></page>']), 'unexpected close tag'],
      'a page without a title': [dump(['<page>\n<ns>0</ns></page>']), '<page> has no <title>'],
      'a page without a namespace': [
        dump(['<page><title>A</title></page>']),
        'the <ns> of a <page> must be a number',
      ],
      'an edit without a number': [
        dump([dumpedPage('Tea').replace(/<id>\d+<\/id><timestamp>/, '<timestamp>')]),
        'the <id> of a <revision> must be a positive integer',
      ],
      'an edit without a time': [
        dump([dumpedPage('Tea', [{ at: '2024-02-30T00:00:00Z' }])]),
        'the timestamp "2024-02-30T00:00:00Z" is not a date-time',
      ],
      'an entity that is not one of the five': [
        dump([dumpedPage('Tea').replace('>text<', '>&tea;<')]),
        'entity',
      ],
      'control characters': [dump([dumpedPage('Tea').replace('>text<', '>&#1;<')]), 'Line'],
      'no siteinfo': ['<mediawiki version="0.11" xml:lang="en"></mediawiki>', 'before <siteinfo>'],
      'unbounded nesting': [dump([`<page>${'<a>'.repeat(100_000)}`]), 'nested too deeply'],
      'bytes that are not UTF-8': [Buffer.from(dump([dumpedPage('Th\u00e9')]), 'latin1'), 'not UTF-8'],
      'an empty file': ['', 'Line 1'],
    }
    for (const [title, [content, expected]] of Object.entries(cases)) {
      it(title, async () => {
        const error = await failureOf(readDump(content))
        expect(error).to.be.instanceOf(ImportError)
        expect(error.message).to.include(expected)
      })
    }

    it('an entity that expands exponentially', async () => {
      const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)
      const bomb = `<!DOCTYPE mediawiki [<!ENTITY a0 "lol">${levels.join('')}]>\n${dump([dumpedPage('Tea').replace('>text<', '>&a9;<')])}`
      expect(await refusalOf(bomb)).to.equal(
        'Line 1: a dump must not have a DOCTYPE (is this file a MediaWiki dump?)',
      )
    })

    it('a text of more than 32 MB, before its end', async () => {
      const long = dump([dumpedPage('Tea', 'x'.repeat(33 * 1024 * 1024))])
      expect(await refusalOf(long)).to.include('more than 33554432 characters')
    })

    it('a compressed file that is incomplete, or not compressed', async () => {
      const text = dump([dumpedPage('Tea')])
      expect(await refusalOf(gzipSync(text).subarray(0, 100), {}, 'a.xml.gz')).to.include('to its end')
      expect(await refusalOf(text, {}, 'a.xml.gz')).to.include('to its end')
      expect(await refusalOf(BZIP2[0]!.subarray(0, 60), {}, 'a.xml.bz2')).to.include(
        'bzip2 file is damaged or incomplete',
      )
      expect(await refusalOf(text, {}, 'a.xml.bz2')).to.include('bzip2 file is damaged or incomplete')
    })

    it('a dump with a changed byte, or cut anywhere: never hangs, and a cut is always an error', async () => {
      const whole = Buffer.from(
        dump([dumpedPage('Sencha', [{ text: "'''a''' [[b]]" }, { text: '{{c}}' }]), dumpedPage('Чай')]),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.nat(whole.length - 1),
          fc.integer({ min: 0, max: 255 }),
          fc.boolean(),
          async (at, byte, cut) => {
            const bytes = cut ? whole.subarray(0, at) : Buffer.from(whole)
            if (!cut) bytes[at] = byte
            const result = await readDump(bytes).catch((error: Error) => error)
            // A dump without its last line end is complete.
            if (cut && at < whole.length - 1) expect(result).to.be.instanceOf(ImportError)
            else if (result instanceof Error) expect(result).to.be.instanceOf(UsageError)
          },
        ),
        { numRuns: rounds(40) },
      )
    })
  })
})

describe('import mediawiki: into the database', () => {
  const test = withService()
  beforeEach(clearWorld)

  const importing = (content: string, options = {}) =>
    withFile('dump.xml', content, async (file) => {
      const { summary } = await runImport(owner, () =>
        openMediawikiSource(file, { namespaces: [], redirects: true, ...options }),
      )
      test.service.invalidate()
      return summary
    })

  it('guests see pages, history, categories and links, but no hidden edit', async () => {
    const hidden = { textElement: '<text bytes="6" deleted="deleted" />' }
    await importing(
      dump([
        dumpedPage('Sencha', [
          { id: 1, at: '2024-05-01T12:00:00Z', text: 'secret' },
          { id: 2, at: '2024-05-02T12:00:00Z', text: "'''Sencha''' of [[Uji]] [[Category:Teas]]" },
        ]),
      ]),
    )
    expect((await test.get('/pages/Sencha/history')).body.items).to.have.length(2)
    await importing(
      dump([
        dumpedPage('Sencha', [
          { id: 1, at: '2024-05-01T12:00:00Z', ...hidden },
          { id: 2, at: '2024-05-02T12:00:00Z', text: "'''Sencha''' of [[Uji]] [[Category:Teas]]" },
        ]),
      ]),
    )
    const { body } = await test.get('/pages/Sencha?format=both')
    expect(body).to.include({ title: 'Sencha', markdown: '**Sencha** of [Uji](/en/Uji)\n' })
    expect(body.html).to.include('href="https://en.wiki.example/Uji"')
    expect(body.categories.map(({ key }: { key: string }) => key)).to.deep.equal(['Teas'])
    expect((await test.get('/pages/Sencha/history')).body.items).to.have.length(1)
    expect((await test.get('/categories/Teas')).body.items).to.have.length(1)
    expect((await test.get('/search?q=secret')).body.items).to.deep.equal([])
    expect(await exportText(owner)).to.not.include('secret')
  })

  it('a second language is added, and its pages are translations', async () => {
    await importing(dump([dumpedPage('Sencha', '[[ru:Сэнтя]]')]))
    await importing(dump([dumpedPage('Сэнтя', '[[en:Sencha]]')], { language: 'ru' }), { add: true })
    const { body } = await test.get('/pages/Sencha')
    expect(body.translations.map(({ title }: { title: string }) => title)).to.deep.equal(['Сэнтя'])
    expect((await test.get('/')).body).to.include({ name: 'Tea Wiki', locale: 'en' })
  })
})
