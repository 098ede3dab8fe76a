import { expect } from 'chai'
import { makeKeptHtml } from '../src/render/kept-html.ts'
import type { Job, Render, Rendering } from '../src/render/rendering.ts'
import { makeAddresses } from '../src/wiki/links.ts'

const place = {
  addresses: makeAddresses({ byLocale: {}, fallback: 'https://wiki.example' }),
  locale: 'en',
  path: 'tea',
  locales: new Set(['en']),
}
const job = (markdown: string): Job => ({ markdown, place })

describe('Kept HTML', () => {
  let tried: string[]
  let answer: (markdown: string) => Promise<Rendering>
  const render: Render = (markdown) => {
    tried.push(markdown)
    return answer(markdown)
  }
  beforeEach(() => {
    tried = []
    answer = async (markdown) => ({ html: `<p>${markdown}</p>` })
  })

  it('a text is rendered once, however many ask, at once or later', async () => {
    const kept = makeKeptHtml(render)
    const ask = () => kept.of(job('a'))
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal(['<p>a</p>', '<p>a</p>', '<p>a</p>'])
    expect(await ask()).to.equal('<p>a</p>')
    expect(tried).to.deep.equal(['a'])
  })

  it('a text that was changed in place has its own HTML, though nobody said that it changed', async () => {
    const kept = makeKeptHtml(render)
    expect(await kept.of(job('a secret'))).to.equal('<p>a secret</p>')
    expect(await kept.of(job('redacted'))).to.equal('<p>redacted</p>')
  })

  it('a text that is changed while it is rendered: each asker gets the HTML of what it read', async () => {
    const kept = makeKeptHtml(render)
    let finish: (rendering: Rendering) => void = () => {}
    answer = () =>
      new Promise((resolve) => {
        finish = resolve
      })
    const old = kept.of(job('old'))
    answer = async () => ({ html: 'new' })
    expect(await kept.of(job('new'))).to.equal('new')
    finish({ html: 'old' })
    expect(await old).to.equal('old')
    expect(await kept.of(job('new'))).to.equal('new')
  })

  it('the same text at another path, in another language or among other languages is rendered anew', async () => {
    const kept = makeKeptHtml(render)
    await kept.of(job('a'))
    await kept.of({ markdown: 'a', place: { ...place, path: 'coffee' } })
    await kept.of({ markdown: 'a', place: { ...place, locale: 'ru' } })
    await kept.of({ markdown: 'a', place: { ...place, locales: new Set(['ru', 'en']) } })
    await kept.of({ markdown: 'a', place: { ...place, locales: new Set(['en', 'ru']) } })
    expect(tried).to.have.length(4)
  })

  it('what fails is answered as escaped, preformatted text, and not tried again', async () => {
    answer = async () => ({ failure: 'time', isSure: true })
    const kept = makeKeptHtml(render)
    const [one, two] = await Promise.all([kept.of(job('<b>&')), kept.of(job('<b>&'))])
    expect(one).to.equal('<pre>&lt;b&gt;&amp;</pre>\n')
    expect(two).to.equal(one)
    expect(await kept.of(job('<b>&'))).to.equal(one)
    expect(tried).to.have.length(1)
  })

  it('another text in the place of one that failed is rendered', async () => {
    answer = async () => ({ failure: 'output', isSure: true })
    const kept = makeKeptHtml(render)
    expect(await kept.of(job('b'))).to.equal('<pre>b</pre>\n')
    answer = async () => ({ html: 'fine' })
    expect(await kept.of(job('c'))).to.equal('fine')
    expect(await kept.of(job('b'))).to.equal('<pre>b</pre>\n')
  })

  it('a text that found no process is tried again', async () => {
    const kept = makeKeptHtml(render)
    answer = async () => {
      throw new Error('busy')
    }
    expect(await kept.of(job('a')).catch((error) => error.message)).to.equal('busy')
    answer = async () => ({ html: 'a' })
    expect(await kept.of(job('a'))).to.equal('a')
  })
})
