import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import { escapeXml } from '../../src/rest/routes/atom.ts'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'
import { importRecords, recordsOf } from '../support/world.ts'

const ATOM = 'http://www.w3.org/2005/Atom'

/** An element of a document: its name in Atom's namespace, its attributes, its text and its children. */
interface Element {
  name: string
  attributes: Record<string, string>
  text: string
  children: Element[]
}

/** Parses XML strictly: a document that is not well-formed, or has a forbidden character, throws. */
const parse = (xml: string): Element => {
  const parser = new SaxesParser({ xmlns: true })
  const root: Element = { name: '', attributes: {}, text: '', children: [] }
  const path = [root]
  parser.on('opentag', ({ local, uri, attributes }) => {
    expect(uri).to.equal(ATOM)
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value])
    const element = { name: local, attributes: Object.fromEntries(values), text: '', children: [] }
    path.at(-1)!.children.push(element)
    path.push(element)
  })
  parser.on('text', (text) => {
    path.at(-1)!.text += text
  })
  parser.on('closetag', () => path.pop())
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return root.children[0]!
}

const named = ({ children }: Element, name: string): Element[] =>
  children.filter((child) => child.name === name)
const textOf = (element: Element, name: string): string | undefined => named(element, name)[0]?.text
const hrefOf = (element: Element, rel: string): string | undefined =>
  named(element, 'link').find(({ attributes }) => attributes.rel === rel)?.attributes.href

const HOSTILE = `</summary></entry><script>alert(1)</script> ]]> <![CDATA[ &amp; &bogus; "'\u00a0 \u202e чай 👩‍🌾 \ufffe`

describe('GET /recent.atom', () => {
  const test = withService()
  withWorld(test, {
    name: 'Tea & <Leaves>',
    pages: [
      {
        path: 'a&b?"<c>',
        revisions: [
          {
            id: testId(1),
            created_at: '2024-01-02T00:00:00.123456Z',
            title: HOSTILE,
            comment: HOSTILE,
            author: HOSTILE,
          },
          { id: testId(2), created_at: '2024-01-03T00:00:00Z', status: 'pending', comment: 'hidden' },
        ],
      },
      {
        path: 'чай',
        locale: 'ru',
        revisions: [{ id: testId(3), created_at: '2024-01-01T00:00:00Z', title: 'Чай', author: '' }],
      },
      { path: 'draft', state: 'draft', revisions: [{ comment: 'hidden' }] },
    ],
  })

  it('is a feed of the newest edits, with the headers of every response', async () => {
    const { status, headers, text } = await test.get('/recent.atom')
    expect(status).to.equal(200)
    expect(headers).to.include({
      'content-type': 'application/atom+xml; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      link: '<https://license.example/>; rel="license"',
    })
    expect(text).not.to.include('hidden')
    const feed = parse(text)
    expect(feed.name).to.equal('feed')
    expect(feed.attributes['xml:lang']).to.equal(undefined)
    expect(textOf(feed, 'id')).to.equal('http://localhost:3000/api/v1/recent.atom')
    expect(textOf(feed, 'title')).to.equal('Tea & <Leaves>: recent edits')
    expect(textOf(feed, 'updated')).to.equal('2024-01-02T00:00:00.123456Z')
    expect(hrefOf(feed, 'self')).to.equal('http://localhost:3000/api/v1/recent.atom')
    expect(hrefOf(feed, 'alternate')).to.equal('https://en.wiki.example')
    expect(hrefOf(feed, 'license')).to.equal('https://license.example/')
    expect(named(feed, 'entry').map((entry) => textOf(entry, 'id'))).to.deep.equal([
      `urn:uuid:${testId(1)}`,
      `urn:uuid:${testId(3)}`,
    ])
  })

  it('an entry has the title, dates, author and comment of an edit, and links to its page and difference', async () => {
    const [hostile, russian] = named(parse((await test.get('/recent.atom')).text), 'entry')
    const shown = HOSTILE.replace('\ufffe', '\ufffd')
    expect(hostile!.attributes['xml:lang']).to.equal('en')
    expect(textOf(hostile!, 'title')).to.equal(shown)
    expect(textOf(hostile!, 'summary')).to.equal(shown)
    expect(textOf(named(hostile!, 'author')[0]!, 'name')).to.equal(shown)
    expect(textOf(hostile!, 'updated')).to.equal('2024-01-02T00:00:00.123456Z')
    expect(textOf(hostile!, 'published')).to.equal('2024-01-02T00:00:00.123456Z')
    expect(hrefOf(hostile!, 'alternate')).to.equal('https://en.wiki.example/a&b%3F%22%3Cc%3E')
    const difference = hrefOf(hostile!, 'related')!
    expect((await test.get(difference.replace('http://localhost:3000/api/v1', ''))).status).to.equal(200)
    expect(russian!.attributes['xml:lang']).to.equal('ru')
    expect(textOf(russian!, 'summary')).to.equal('An edit without a comment.')
    expect(textOf(named(russian!, 'author')[0]!, 'name')).to.equal('Anonymous')
  })

  it('locale: the edits of one language, in a feed of its own', async () => {
    const { headers, text } = await test.get('/recent.atom?locale=RU')
    const feed = parse(text)
    expect(headers['content-language']).to.equal('ru')
    expect(feed.attributes['xml:lang']).to.equal('ru')
    expect(textOf(feed, 'id')).to.equal('http://localhost:3000/api/v1/recent.atom?locale=ru')
    expect(hrefOf(feed, 'self')).to.equal('http://localhost:3000/api/v1/recent.atom?locale=ru')
    expect(hrefOf(feed, 'alternate')).to.equal('https://ru.wiki.example')
    expect(named(feed, 'entry').map((entry) => textOf(entry, 'title'))).to.deep.equal(['Чай'])
  })

  it('author and ns: the edits of /recent with them, in a feed of its own', async () => {
    const feed = parse((await test.get('/recent.atom?ns=main&author=&locale=ru')).text)
    expect(textOf(feed, 'id')).to.equal('http://localhost:3000/api/v1/recent.atom?locale=ru&ns=main')
    expect(textOf(feed, 'title')).to.equal('Tea & <Leaves>: recent edits (RU, main)')
    expect(named(feed, 'entry')).to.have.length(1)
    const hostile = parse((await test.get(`/recent.atom?author=${encodeURIComponent(HOSTILE)}`)).text)
    const self = hrefOf(hostile, 'self')!.replace('http://localhost:3000/api/v1', '')
    expect(named(hostile, 'entry')).to.have.length(1)
    expect(textOf(parse((await test.get(self)).text), 'id')).to.equal(textOf(hostile, 'id'))
    expect(named(parse((await test.get('/recent.atom?ns=module')).text), 'entry')).to.deep.equal([])
  })

  it('has an ETag, answers HEAD, and is sent compressed', async () => {
    const { headers } = await test.get('/recent.atom')
    const again = await test.get('/recent.atom', { headers: { 'If-None-Match': headers.etag! } })
    expect(again.status).to.equal(304)
    const head = await test.get('/recent.atom', { method: 'HEAD' })
    expect(head).to.deep.include({ status: 200, text: '' })
    const compressed = await test.get('/recent.atom', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(compressed.headers['content-encoding']).to.equal('gzip')
    expect(parse(compressed.text).name).to.equal('feed')
  })

  it('has 50 entries at most', async () => {
    const revisions = Array.from({ length: 60 }, (_, i) => ({
      created_at: `2025-01-01T00:00:${String(i).padStart(2, '0')}Z`,
    }))
    await importRecords(recordsOf({ pages: [{ path: 'busy', revisions }] }))
    test.service.invalidate()
    expect(named(parse((await test.get('/recent.atom')).text), 'entry')).to.have.length(50)
  })

  it('no text makes a document that is not well-formed', () => {
    let all = ''
    for (let code = 0; code <= 0xffff; code += 1) all += String.fromCharCode(code)
    const document = `<a xmlns="${ATOM}" b="${escapeXml(all)}">${escapeXml(all)}</a>`
    expect(Buffer.from(document).toString()).to.equal(document)
    const parsed = parse(document)
    expect(parsed.text).to.equal(parsed.attributes.b)
    expect(parsed.text).to.equal(
      all.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd'),
    )
  })
})

describe('GET /recent.atom of a wiki without edits', () => {
  const test = withService()
  withWorld(test, { pages: [] })

  it('is a feed without entries', async () => {
    const feed = parse((await test.get('/recent.atom')).text)
    expect(textOf(feed, 'updated')).to.equal('1970-01-01T00:00:00Z')
    expect(named(feed, 'entry')).to.deep.equal([])
  })
})
