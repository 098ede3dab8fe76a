import { expect } from 'chai'
import { withService, withWorld } from './support/service.ts'

const row = (cell: string, count: number): string => `|${`${cell}|`.repeat(count)}\n`
/** 66 KB that take the parser a minute, because it fills up the short rows. */
const SLOW_TABLE = row('a', 5_000) + row('-', 5_000) + '|b\n'.repeat(10_000)
/** 700 KB that give 2.8 MB of HTML. */
const EXPANDING_CODE = `\`\`\`\n${'<'.repeat(700_000)}`

const ordinary = Array.from({ length: 40 }, (_, i) => ({
  path: `tea-${i}`,
  revisions: [{ markdown: `# Tea ${i}` }],
}))

describe('hostile pages', () => {
  const test = withService({ cacheSeconds: 0 })
  withWorld(test, {
    pages: [
      ...ordinary,
      { path: 'endless', revisions: [{ markdown: `${SLOW_TABLE}<b>&` }] },
      { path: 'endless-too', revisions: [{ markdown: SLOW_TABLE }] },
      { path: 'swelling', revisions: [{ markdown: EXPANDING_CODE }] },
    ],
  })

  it('are rendered as escaped, preformatted text, and the failure is cached across changes of the wiki', async () => {
    const first = await test.get('/pages/endless?format=html')
    expect(first.status).to.equal(200)
    expect(first.body.html).to.equal(`<pre>${SLOW_TABLE}&lt;b&gt;&amp;</pre>\n`)
    expect((await test.get('/pages/swelling?format=html')).body.html).to.match(
      /^<pre>```\n(?:&lt;){700000}<\/pre>\n$/,
    )
    const failures = async () => {
      const metrics = (await test.service.metrics()) as { name: string; values: { value: number }[] }[]
      // On a busy machine, a text may reach another limit first.
      const { values } = metrics.find(({ name }) => name === 'lectern_render_failures_total')!
      return values.reduce((sum, { value }) => sum + value, 0)
    }
    expect(await failures()).to.equal(2)
    test.service.invalidate()
    expect((await test.get('/pages/endless?format=both')).body.html).to.equal(first.body.html)
    expect(await failures()).to.equal(2)
  })

  it('do not delay other requests: lists, pages and the HTML of other pages', async () => {
    const attack = test.get('/pages/endless-too?format=html')
    let hasEnded = false
    const onEnd = () => {
      hasEnded = true
    }
    void attack.then(onEnd, onEnd)
    let lists = 0
    for (let i = 0; !hasEnded && i < ordinary.length; i++) {
      expect((await test.get('/pages?limit=5')).status).to.equal(200)
      if (!hasEnded) lists += 1
      const { body } = await test.get(`/pages/tea-${i}?format=html`)
      expect(body.html).to.equal(`<h1 id="tea-${i}">Tea ${i}</h1>\n`)
    }
    expect(lists).to.be.above(0) // a busy machine has time for few
    expect((await attack).status).to.equal(200)
  })
})
