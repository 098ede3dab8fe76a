import { makeWikiAddresses } from '@lectern/wiki/links'
import { expect } from 'chai'
import { makeHtmlCache } from '../src/render/html-cache.ts'
import {
  type Render,
  type RenderJob,
  type RenderResult,
  RenderUnfinished,
} from '../src/render/render-result.ts'

const context = {
  addresses: makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' }),
  locale: 'en',
  path: 'tea',
  locales: new Set(['en']),
}
const job = (markdown: string, target: RenderJob['target'] = { form: 'html' }): RenderJob => ({
  markdown,
  context,
  target,
})

describe('HTML cache', () => {
  let rendered: string[]
  let renderNext: (markdown: string) => Promise<RenderResult>
  const render: Render = ({ markdown }) => {
    rendered.push(markdown)
    return renderNext(markdown)
  }
  beforeEach(() => {
    rendered = []
    renderNext = async (markdown) => ({ output: `<p>${markdown}</p>` })
  })

  it('renders a text once for concurrent and later callers', async () => {
    const cache = makeHtmlCache(render)
    const get = () => cache.get(job('a'))
    expect(await Promise.all([get(), get(), get()])).to.deep.equal(['<p>a</p>', '<p>a</p>', '<p>a</p>'])
    expect(await get()).to.equal('<p>a</p>')
    expect(rendered).to.deep.equal(['a'])
  })

  it('gives each caller the HTML of the text that it passed, when the text changes during rendering', async () => {
    const cache = makeHtmlCache(render)
    let finish: (rendering: RenderResult) => void = () => {}
    renderNext = () =>
      new Promise((resolve) => {
        finish = resolve
      })
    const old = cache.get(job('old'))
    renderNext = async () => ({ output: 'new' })
    expect(await cache.get(job('new'))).to.equal('new')
    finish({ output: 'old' })
    expect(await old).to.equal('old')
    expect(await cache.get(job('new'))).to.equal('new')
  })

  it('renders the same text again for another path, another language, or another set of languages', async () => {
    const cache = makeHtmlCache(render)
    await cache.get(job('a'))
    await cache.get({ ...job('a'), context: { ...context, path: 'coffee' } })
    await cache.get({ ...job('a'), context: { ...context, locale: 'ru' } })
    await cache.get({ ...job('a'), context: { ...context, locales: new Set(['ru', 'en']) } })
    await cache.get({ ...job('a'), context: { ...context, locales: new Set(['en', 'ru']) } })
    expect(rendered).to.have.length(4)
  })

  it('tries a text again after the renderer was busy', async () => {
    const cache = makeHtmlCache(render)
    renderNext = async () => {
      throw new Error('busy')
    }
    expect(await cache.get(job('a')).catch((error) => error.message)).to.equal('busy')
    renderNext = async () => ({ output: 'a' })
    expect(await cache.get(job('a'))).to.equal('a')
  })

  describe('when a rendering does not finish', () => {
    let time: number
    let cache: ReturnType<typeof makeHtmlCache>
    beforeEach(() => {
      time = 0
      cache = makeHtmlCache(render, () => time)
    })
    /** Status and `Retry-After`, or the HTML. */
    const get = (text: string) =>
      cache.get(job(text)).catch(({ status, headers }) => [status, headers['Retry-After']])
    const interrupt = (interruption: 'starved' | 'lost') => {
      renderNext = async () => {
        throw new RenderUnfinished(interruption)
      }
    }

    it('gives no HTML, and renders again for the next caller', async () => {
      interrupt('starved')
      expect(await Promise.all([get('a'), get('a')])).to.deep.equal([
        [503, '1'],
        [503, '1'],
      ])
      renderNext = async () => ({ output: 'a' })
      expect(await get('a')).to.equal('a')
      expect(rendered).to.deep.equal(['a', 'a'])
    })

    it('pauses longer after each time, up to a minute, and does not render in a pause', async () => {
      interrupt('starved')
      const pauses: number[] = []
      for (let i = 0; i < 9; i += 1) {
        const [, seconds] = (await get('a')) as [number, string]
        pauses.push(Number(seconds))
        if (i === 0) continue
        time += Number(seconds) * 1000 - 1
        expect(await get('a')).to.deep.equal([503, '1'])
        time += 1
      }
      expect(pauses).to.deep.equal([1, 1, 2, 4, 8, 16, 32, 60, 60])
      expect(rendered).to.have.length(9)
      renderNext = async () => ({ output: 'a' })
      expect(await get('a')).to.equal('a')
      interrupt('starved')
      expect(await get('b')).to.deep.equal([503, '1'])
      expect(await get('b')).to.deep.equal([503, '1'])
    })

    it('gives the source of a text whose processes are lost five times in a row, and of no other', async () => {
      const outcomeOf = async (...interruptions: ('starved' | 'lost')[]) => {
        const text = interruptions.join()
        let last: unknown
        for (const interruption of interruptions) {
          interrupt(interruption)
          last = await get(text)
          time += 60_000
        }
        return last
      }
      expect(await outcomeOf('lost', 'lost', 'lost', 'lost', 'lost')).to.equal(
        '<pre>lost,lost,lost,lost,lost</pre>\n',
      )
      expect(await outcomeOf('lost', 'lost', 'lost', 'lost')).to.deep.equal([503, '4'])
      expect(await outcomeOf('lost', 'lost', 'lost', 'starved', 'lost', 'lost')).to.deep.equal([503, '16'])
    })
  })
})
