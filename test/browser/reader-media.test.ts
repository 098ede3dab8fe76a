import { expect } from 'chai'
import { withService, withWorld } from '../support/service.ts'
import { until } from '../support/until.ts'
import { withBrowser } from './support/browser.ts'
import { focused, openReader, SITE, settled, violations, visitsOf } from './support/site.ts'

const badge = (name: string) => `[![${name}](https://badges.example/${name}.svg)](https://badges.example/)`

/** Pictures of another site: in a row, alone, and in a sentence. */
const PICTURES = `${badge('build')} ${badge('gone')}

![alone](https://badges.example/alone.svg)

Tea is ![lost](https://badges.example/lost.svg) green.`

/** A picture that is shown smaller than it is, one that leads to its own file, a drawing, and those that stay as they are. */
const ENLARGED = `![A plan](https://badges.example/plan.png) [![own](https://badges.example/own.png)](https://badges.example/own.png)

![drawing](https://badges.example/drawing.svg) ![small](https://badges.example/small.png)

![icon](https://badges.example/icon.svg) ${badge('build')} [![elsewhere](https://badges.example/plan.png)](https://x.example/)`

const sizedPicture = (url: string): string => {
  const [width, height] = /plan|own/.test(url) ? [3000, 1500] : /build|icon/.test(url) ? [80, 20] : [300, 200]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`
}

/** A diagram after one that is no valid image, as it has a control character, and before one that is not written as mermaid has it. */
const DIAGRAMS = `\`\`\`mermaid
flowchart TD
  A["\b"]
\`\`\`

\`\`\`mermaid
pie title Teas
  "Green" : 3
\`\`\`

\`\`\`mermaid
flowchart TD
  A[[[ --> broken
\`\`\``

describe('reader of pictures, diagrams and PDFs', () => {
  const browser = withBrowser()
  const wiki = withService()
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  withWorld(wiki, {
    pages: Object.entries({
      diagrams: DIAGRAMS,
      enlarged: ENLARGED,
      pdf: 'x',
      pictures: PICTURES,
      plain: 'x',
    }).map(([path, markdown]) => ({ path, revisions: [{ markdown }] })),
  })

  visits('a PDF alone in its paragraph has its size, and opens there', async ({ page }) => {
    const origin = new URL(wiki.service.listeningUrl).origin
    const url = `${origin}/media/${'0'.repeat(64)}/a.pdf`
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { value: true })",
    )
    await page.route(`${url}*`, (route) => route.fulfill({ body: '' }))
    await page.route('**/pages/pdf?*', async (route) => {
      const body = (await (await route.fetch()).json()) as object
      const html = `<p>See <a href="${url}">b</a></p><p><a href="${url}#page=2">c</a></p><ul><li><a href="${url}">d</a></li></ul>`
      await route.fulfill({ json: { ...body, html } })
    })
    await page.route('**/pages?*include=files*', (route) =>
      route.fulfill({ json: { items: [{ files: [{ url, bytes: 2_000 }] }] } }),
    )
    await openReader(page, 'page=plain')
    await page.locator('.tree a[href*="pdf"]').click()
    expect(await page.locator('details').filter({ hasText: 'PDF' }).innerText()).to.equal('c PDF · 2 kB')
    expect(await page.locator('article li').innerText()).to.equal('d PDF · 2 kB')
    await page.locator('article details small').click()
    expect(await page.locator('article iframe').getAttribute('src')).to.equal(`${url}#page=2`)
    expect(await violations(page)).to.deep.equal([])
  })

  visits(
    'code in mermaid is drawn in the theme of the page, and stays code if it is broken',
    async ({ page }) => {
      await openReader(page, 'page=diagrams')
      const diagrams = page.locator('article .diagram')
      await until('it is drawn', async () => (await diagrams.count()) === 1)
      expect((await page.getByRole('img', { name: 'Diagram' }).boundingBox())!.height).to.be.above(50)
      const shown = () =>
        page.locator('article pre').evaluateAll((all) => all.map((one) => one.checkVisibility()))
      expect(await shown()).to.deep.equal([true, false, true])
      await page.getByRole('button', { name: 'Code', exact: true }).first().click()
      expect(await shown()).to.deep.equal([true, true, true])
      expect(await violations(page)).to.deep.equal([])
      await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
      await until(
        'both follow it',
        async () => (await page.locator('[data-theme="dark"].diagram').count()) === 1,
      )
      expect(await page.evaluate("document.querySelector('.drawing').sandbox.value")).to.equal(
        'allow-scripts',
      )
    },
  )

  visits('a picture that is larger than it is shown opens in a dialog, for keys, too', async ({ page }) => {
    const contentType = 'image/svg+xml'
    await page.route('https://badges.example/*', (route) =>
      route.fulfill({ contentType, body: sizedPicture(route.request().url()) }),
    )
    await openReader(page, 'page=enlarged')
    const opener = (name: string) => page.getByRole('link', { name }).and(page.locator('[aria-haspopup]'))
    await opener('drawing').waitFor()
    expect(await page.locator('article [aria-haspopup]').count()).to.equal(3)
    for (const name of ['A plan', 'own']) {
      await opener(name).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name })
      const picture = dialog.getByRole('img', { name })
      expect((await picture.boundingBox())!.width).to.be.above(1200)
      await dialog.getByRole('link', { name: '3000 × 1500' }).waitFor()
      expect(await violations(page)).to.deep.equal([])
      expect(await focused(page)).to.equal('Close')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect((await picture.boundingBox())!.width, 'its own size').to.equal(3000)
      await page.keyboard.press('Escape')
      await page.locator('.picture').waitFor({ state: 'detached' })
      expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).to.equal(name)
    }
    await opener('A plan').click()
    await page.goBack()
    await until('it goes with its view', async () => (await page.getByRole('dialog').count()) === 0)
  })

  visits.refused('a picture that is late has a box until it is there, but not in a row', async ({ page }) => {
    let respond = (): void => {}
    const isAwaited = new Promise<void>((done) => {
      respond = done
    })
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>'
    await page.route('https://badges.example/*', async (route) => {
      await isAwaited
      if (/gone|lost/.test(route.request().url())) await route.abort()
      else await route.fulfill({ contentType: 'image/svg+xml', body })
    })
    await page.goto(`${SITE.reader}?page=pictures`, { waitUntil: 'domcontentloaded' })
    await settled(page)
    const boxed = () =>
      page.evaluate("[...document.querySelectorAll('article .reserved')].map((one) => one.alt)")
    expect(await boxed()).to.deep.equal(['alone'])
    respond()
    await page.locator('article .missing').nth(1).waitFor()
    await until('the box is gone', async () => ((await boxed()) as string[]).length === 0)
    for (const name of ['gone', 'lost'])
      expect((await page.locator('.missing', { hasText: name }).boundingBox())!.height).to.be.below(30)
  })
})
