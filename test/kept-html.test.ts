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
const load = (markdown: string) => async (): Promise<Job> => ({ markdown, place })

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

  it('an edit is rendered once, however many ask, at once or later', async () => {
    const kept = makeKeptHtml(render)
    const ask = () => kept.of('1', load('a'))
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal(['<p>a</p>', '<p>a</p>', '<p>a</p>'])
    expect(await ask()).to.equal('<p>a</p>')
    expect(tried).to.deep.equal(['a'])
  })

  it('what fails is answered as escaped, preformatted text, and not tried again', async () => {
    answer = async () => ({ failure: 'time', isSure: true })
    const kept = makeKeptHtml(render)
    const [one, two] = await Promise.all([kept.of('1', load('<b>&')), kept.of('1', load('<b>&'))])
    expect(one).to.equal('<pre>&lt;b&gt;&amp;</pre>\n')
    expect(two).to.equal(one)
    expect(await kept.of('1', load('<b>&'))).to.equal(one)
    expect(tried).to.have.length(1)
  })

  it('a change of the wiki forgets HTML, but not what failed; the source is of the text as it is now', async () => {
    const kept = makeKeptHtml(render)
    await kept.of('1', load('a'))
    answer = async () => ({ failure: 'output', isSure: true })
    await kept.of('2', load('b'))
    kept.forget()
    expect(await kept.of('2', load('c'))).to.equal('<pre>c</pre>\n')
    answer = async () => ({ html: 'new' })
    expect(await kept.of('1', load('a'))).to.equal('new')
    expect(tried).to.deep.equal(['a', 'b', 'a'])
  })

  it('what was being made when the wiki changed is answered, but not kept', async () => {
    const kept = makeKeptHtml(render)
    let finish: (rendering: Rendering) => void = () => {}
    answer = () =>
      new Promise((resolve) => {
        finish = resolve
      })
    const old = kept.of('1', load('old'))
    await new Promise(setImmediate)
    kept.forget()
    answer = async () => ({ html: 'new' })
    expect(await kept.of('1', load('new'))).to.equal('new')
    finish({ html: 'old' })
    expect(await old).to.equal('old')
    expect(await kept.of('1', load('new'))).to.equal('new')
  })

  it('an edit that could not be loaded, or found no process, is tried again', async () => {
    const kept = makeKeptHtml(render)
    const gone = async () => {
      throw new Error('gone')
    }
    expect(await kept.of('1', gone).catch((error) => error.message)).to.equal('gone')
    answer = async () => {
      throw new Error('busy')
    }
    expect(await kept.of('1', load('a')).catch((error) => error.message)).to.equal('busy')
    answer = async () => ({ html: 'a' })
    expect(await kept.of('1', load('a'))).to.equal('a')
  })
})
