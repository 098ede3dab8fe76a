import { expect } from 'chai'
import { makeHtmlCache } from '../src/render/html-cache.ts'
import type { Render, RenderJob, RenderResult } from '../src/render/render-result.ts'
import { makeWikiAddresses } from '../src/wiki/links.ts'

const context = {
  addresses: makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' }),
  locale: 'en',
  path: 'tea',
  locales: new Set(['en']),
}
const job = (markdown: string): RenderJob => ({ markdown, context })

describe('Kept HTML', () => {
  let tried: string[]
  let answer: (markdown: string) => Promise<RenderResult>
  const render: Render = (markdown) => {
    tried.push(markdown)
    return answer(markdown)
  }
  beforeEach(() => {
    tried = []
    answer = async (markdown) => ({ html: `<p>${markdown}</p>` })
  })

  it('a text is rendered once, however many ask, at once or later', async () => {
    const kept = makeHtmlCache(render)
    const ask = () => kept.get(job('a'))
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal(['<p>a</p>', '<p>a</p>', '<p>a</p>'])
    expect(await ask()).to.equal('<p>a</p>')
    expect(tried).to.deep.equal(['a'])
  })

  it('a text that was changed in place has its own HTML, though nobody said that it changed', async () => {
    const kept = makeHtmlCache(render)
    expect(await kept.get(job('a secret'))).to.equal('<p>a secret</p>')
    expect(await kept.get(job('redacted'))).to.equal('<p>redacted</p>')
  })

  it('a text that is changed while it is rendered: each asker gets the HTML of what it read', async () => {
    const kept = makeHtmlCache(render)
    let finish: (rendering: RenderResult) => void = () => {}
    answer = () =>
      new Promise((resolve) => {
        finish = resolve
      })
    const old = kept.get(job('old'))
    answer = async () => ({ html: 'new' })
    expect(await kept.get(job('new'))).to.equal('new')
    finish({ html: 'old' })
    expect(await old).to.equal('old')
    expect(await kept.get(job('new'))).to.equal('new')
  })

  it('the same text at another path, in another language or among other languages is rendered anew', async () => {
    const kept = makeHtmlCache(render)
    await kept.get(job('a'))
    await kept.get({ markdown: 'a', context: { ...context, path: 'coffee' } })
    await kept.get({ markdown: 'a', context: { ...context, locale: 'ru' } })
    await kept.get({ markdown: 'a', context: { ...context, locales: new Set(['ru', 'en']) } })
    await kept.get({ markdown: 'a', context: { ...context, locales: new Set(['en', 'ru']) } })
    expect(tried).to.have.length(4)
  })

  it('what fails is answered as escaped, preformatted text, and not tried again', async () => {
    answer = async () => ({ failure: 'time', isSure: true })
    const kept = makeHtmlCache(render)
    const [one, two] = await Promise.all([kept.get(job('<b>&')), kept.get(job('<b>&'))])
    expect(one).to.equal('<pre>&lt;b&gt;&amp;</pre>\n')
    expect(two).to.equal(one)
    expect(await kept.get(job('<b>&'))).to.equal(one)
    expect(tried).to.have.length(1)
  })

  it('another text in the place of one that failed is rendered', async () => {
    answer = async () => ({ failure: 'output', isSure: true })
    const kept = makeHtmlCache(render)
    expect(await kept.get(job('b'))).to.equal('<pre>b</pre>\n')
    answer = async () => ({ html: 'fine' })
    expect(await kept.get(job('c'))).to.equal('fine')
    expect(await kept.get(job('b'))).to.equal('<pre>b</pre>\n')
  })

  it('a text that found no process is tried again', async () => {
    const kept = makeHtmlCache(render)
    answer = async () => {
      throw new Error('busy')
    }
    expect(await kept.get(job('a')).catch((error) => error.message)).to.equal('busy')
    answer = async () => ({ html: 'a' })
    expect(await kept.get(job('a'))).to.equal('a')
  })
})
