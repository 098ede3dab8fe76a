import { expect } from 'chai'
import { withService, withWorld } from './support/service.ts'

const row = (cell: string, count: number): string => `|${`${cell}|`.repeat(count)}\n`
/** 66 KB that take a parser a minute: it fills up the short rows. */
const ENDLESS = row('a', 5_000) + row('-', 5_000) + '|b\n'.repeat(10_000)
/** 700 KB that give 2.8 MB. */
const SWELLING = `\`\`\`\n${'<'.repeat(700_000)}`

const ordinary = Array.from({ length: 40 }, (_, i) => ({
  path: `tea-${i}`,
  revisions: [{ markdown: `# Tea ${i}` }],
}))

describe('Pages whose Markdown is an attack', () => {
  const test = withService({ cacheSeconds: 0 })
  withWorld(test, {
    pages: [
      ...ordinary,
      { path: 'endless', revisions: [{ markdown: `${ENDLESS}<b>&` }] },
      { path: 'endless-too', revisions: [{ markdown: ENDLESS }] },
      { path: 'swelling', revisions: [{ markdown: SWELLING }] },
    ],
  })

  it('are answered as escaped, preformatted text, and at once the next time, also after a change of the wiki', async () => {
    const first = await test.get('/pages/endless?format=html')
    expect(first.status).to.equal(200)
    expect(first.body.html).to.equal(`<pre>${ENDLESS}&lt;b&gt;&amp;</pre>\n`)
    expect((await test.get('/pages/swelling?format=html')).body.html).to.match(
      /^<pre>```\n(?:&lt;){700000}<\/pre>\n$/,
    )
    const { failures } = test.service.renderCounts
    // On a busy machine the other limit may be the first that is met.
    expect(Object.values(failures).reduce((sum, count) => sum + count)).to.equal(2)
    test.service.invalidate()
    expect((await test.get('/pages/endless?format=both')).body.html).to.equal(first.body.html)
    expect(test.service.renderCounts.failures).to.deep.equal(failures)
  })

  it('keep no other request waiting: not lists, not pages, not the HTML of other pages', async () => {
    const attack = test.get('/pages/endless-too?format=html')
    let isOver = false
    const over = () => {
      isOver = true
    }
    void attack.then(over, over)
    let answered = 0
    for (; !isOver && answered < ordinary.length; answered++) {
      expect((await test.get('/pages?limit=5')).status).to.equal(200)
      const { body } = await test.get(`/pages/tea-${answered}?format=html`)
      expect(body.html).to.equal(`<h1 id="tea-${answered}">Tea ${answered}</h1>\n`)
    }
    expect(answered).to.be.above(2)
    expect((await attack).status).to.equal(200)
  })
})
