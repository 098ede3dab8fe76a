import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withService, withWorld } from '../support/service.ts'
import { until } from '../support/until.ts'
import { importRecords, recordsOf } from '../support/world.ts'
import { inNewContext, withBrowser } from './support/browser.ts'
import {
  focused,
  heading,
  holdScripts,
  openReader,
  SITE,
  settled,
  violations,
  visitsOf,
} from './support/site.ts'

describe('reader of a wiki in a right-to-left language', () => {
  const browser = withBrowser()
  const wiki = withService({ rateLimit: 60, wikiAddresses: { ar: 'https://ar.wiki.example' } })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  withWorld(wiki, {
    name: 'شاي',
    license: null,
    locales: ['ar', 'en'],
    default_locale: 'ar',
    pages: [
      {
        path: 'شاي',
        locale: 'ar',
        revisions: [
          {
            title: 'شاي',
            markdown: `# شاي\n\n[نعناع](نعناع) <script>alert(1)</script> \`a(b);\`\n\n\`\`\`js\nconst tea = brew('green') ${'+ 1 '.repeat(60)}\n\`\`\`\n\n${['أخضر', 'أسود', 'أبيض'].map((name) => `# ${name}[^1]\n\n${'- شاي\n'.repeat(30)}\n`).join('')}\n[^1]: ماء`,
          },
        ],
      },
      {
        path: 'ماء',
        locale: 'ar',
        revisions: [
          {
            author: ' ',
            title: 'جدول',
            markdown: `|${'ماء |'.repeat(20)}\n|${'-|'.repeat(20)}\n|${'100 °C|'.repeat(20)}\n`,
          },
        ],
      },
      {
        path: 'shalom',
        locale: 'en',
        revisions: [
          { title: 'שלום', markdown: '# שלום\n\n- פריט\n\n|א|b|\n|-|-|\n|ג|d|\n\n## Tea\n\nTea: תה' },
        ],
      },
      ...Array.from({ length: 92 }, (_, i) => ({
        path: `ص${String(i).padStart(2, '0')}`,
        locale: 'ar',
        revisions: [{ title: `صفحة ${i}` }],
      })),
    ],
  })

  visits(
    'texts have the direction of their language; code reads from left to right, has colors and a button that copies it, and scrolls; contents lead to sections and mark the one that is read',
    async ({ page, context }) => {
      await openReader(page, `page=${encodeURIComponent('شاي')}`)
      expect(await page.locator('article').getAttribute('dir')).to.equal('rtl')
      expect(await page.locator('article').getAttribute('lang')).to.equal('ar')
      expect(await page.locator('h1').count()).to.equal(1)
      expect(await page.getByRole('link', { name: 'نعناع' }).getAttribute('href')).to.equal(
        `${SITE.reader}?page=${encodeURIComponent('نعناع')}&locale=ar`,
      )
      await page.locator('pre .hljs-string').waitFor()
      expect(await page.locator('pre .hljs-keyword').innerText()).to.equal('const')
      expect(await page.locator('pre').textContent()).to.match(/^const tea = brew\('green'\) (\+ 1 ){60}\n$/)
      const directions = await page.evaluate(
        "[...document.querySelectorAll('article :is(pre, code)')].map((code) => getComputedStyle(code).direction)",
      )
      expect(directions).to.deep.equal(['ltr', 'ltr', 'ltr'])
      await page.locator('pre[tabindex="0"][aria-label="شفرة"]').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.locator('pre').hover()
      await page.getByRole('button', { name: 'نسخ', exact: true }).click()
      await page.getByRole('button', { name: 'تم النسخ' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).to.match(/^const tea = brew/)
      const contents = page.getByRole('navigation', { name: 'المحتويات' })
      expect(await contents.getByRole('link').allInnerTexts()).to.deep.equal(['أخضر', 'أسود', 'أبيض'])
      await contents.getByRole('link', { name: 'أسود' }).click()
      await contents.locator('[aria-current]').filter({ hasText: 'أسود' }).waitFor()
      expect(decodeURIComponent(new URL(page.url()).hash)).to.equal('#أسود')
      const anchor = page.getByRole('link', { name: 'رابط إلى قسم «أبيض»' })
      expect(decodeURIComponent((await anchor.getAttribute('href'))!)).to.equal('#أبيض')
      expect(await violations(page)).to.deep.equal([])
    },
  )

  visits('in a language from left to right, texts begin where their first letters say', async ({ page }) => {
    const directions = () =>
      page
        .locator('h1, article > :not(nav)')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).direction))
    const expected = ['rtl', 'rtl', 'rtl', 'ltr', 'ltr']
    const start = await holdScripts(page)
    await page.goto('/wiki/en/shalom', { waitUntil: 'commit' })
    await page.locator('article p').waitFor()
    expect(await directions()).to.deep.equal(expected)
    start()
    await settled(page)
    expect(await directions()).to.deep.equal(expected)
    await openReader(page, 'pages=all&locale=en')
    await page.locator('main').getByRole('link', { name: 'שלום' }).click()
    await page.locator('article p').waitFor()
    expect(await directions()).to.deep.equal(expected)
  })

  visits(
    'a wide table fades at the end of the line until it is scrolled there; what is unknown has no separator',
    async ({ page }) => {
      await openReader(page, `page=${encodeURIComponent('ماء')}`)
      const table = page.locator('.scroller[data-more][tabindex="0"][aria-label="جدول"]')
      await table.waitFor()
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('.scroller')).maskImage"),
      ).to.include('to left')
      expect(await page.evaluate("document.querySelector('td').offsetHeight")).to.equal(
        await page.evaluate("document.querySelector('th').offsetHeight"),
      )
      await page.evaluate("document.querySelector('.scroller').scrollTo(-10000, 0)")
      await page.locator('.scroller[data-less]:not([data-more])').waitFor()
      // Digits and Latin letters are read from left to right: not as “C° 100”.
      const [digit, degree] = (await page.evaluate(`['1', '°'].map((letter) => {
      const [range, { firstChild: text }] = [new Range(), document.querySelector('td')]
      range.setStart(text, text.data.indexOf(letter))
      range.setEnd(text, text.data.indexOf(letter) + 1)
      return range.getBoundingClientRect().x
    })`)) as [number, number]
      expect(digit).to.be.below(degree)
      // What the wiki does not know leaves no separator: neither author nor license.
      const about = await page.getByRole('complementary').innerText()
      expect(about).to.match(/آخر تعديل\s+[^·\n]+\n/)
      expect(about).to.include('هذه الصفحة على الويكي').and.not.include('رخصة')
    },
  )

  visits.refused(
    'the button More loads the next part of a list, and moves the focus to it; if that fails, the list stays and shows the error',
    async ({ page }) => {
      const refuse = {
        status: 429,
        headers: { 'Retry-After': '7' },
        json: { error: { message: 'Too many.' } },
      }
      await page.route('**/pages?*after=*', (route) => route.fulfill(refuse))
      await openReader(page, 'pages=all')
      const more = page.locator('.columns + .more')
      await more.click()
      const alert = page
        .getByRole('alert')
        .filter({ hasText: /^طلبات كثيرة جدًا. المحاولة التالية بعد: .+ ثوان/ })
      await alert.waitFor()
      expect(await page.locator('.columns li').count()).to.equal(90)
      expect(await violations(page)).to.deep.equal([])
      await page.unroute('**/pages?*after=*')
      await more.filter({ hasText: 'المزيد' }).click()
      await page.locator('.columns li').nth(93).waitFor()
      expect(await focused(page), 'the first of the next part').to.equal('صفحة 89')
      expect([await alert.count(), await more.isHidden()]).to.deep.equal([0, true])
    },
  )

  visits.refused('shows the 429 of the service to a user over the rate limit', async ({ page }) => {
    for (let i = 0; i < 60; i++) await wiki.get('/')
    await openReader(page)
    await heading(page, 'طلبات كثيرة جدًا').waitFor()
    await page.getByText(/^المحاولة التالية بعد: .*ثا?ن/).waitFor()
  })
})

/** Markdown with what documentation has besides text. */
const DOCUMENTATION = `${'It goes on. '.repeat(30)}

---

\`\`\`js
const tea = brew('green') ${'+ 1 '.repeat(60)}
\`\`\`

\`\`\`js {1,4} ins={2} del={3}
const tea = \`green
and white\`
brew()
steep()
\`\`\`

> [!NOTE]
> ${'Steep it for three minutes. '.repeat(9)}
>
> \`\`\`
> brew tea
> \`\`\`

|${'Tea |'.repeat(20)}
|${'-|'.repeat(20)}
|${'100 °C|'.repeat(20)}

- [x] Loose

- [ ] list

<details><summary>More</summary>

Inside.

</details>

${['One', 'Two', 'Three'].map((name) => `## ${name}\n\n${'It goes on. '.repeat(30)}\n\n`).join('')}`

/** Code in a link, code with a title, and an alert that is folded. */
const TITLED = `[\`a_b\`](guide)

<figure><figcaption>brew.js</figcaption>

\`\`\`js
brew()
\`\`\`

</figure>

> [!TIP]- Steep
> longer

<div class="grid cards">

- A card
- Another

</div>`

/** The text of a page with many headings below one, and of a page with few on three levels. */
const LONG = `## Words\n\n${Array.from({ length: 119 }, (_, i) => `### Word ${i}\n\nTea. `).join('\n\n')}\n\n\`\`\`js\n${'1\n'.repeat(60)}\`\`\`\n\n<aside>Box</aside>`
const SHORT = '## Tea\n\n### Green\n\n#### At $t^2$\n\n## Water\n'

/** Tags in a text, in code and in a link, of which `#b/c` and `#Tea` are categories; and a film as a picture. */
const TAGGED =
  'A #tea, (#B/c), not a#tea, #tee or `#tea`; [#tea](https://x.example/).\n\n![A film](https://x.example/film.mp4)'

describe('reader of a documentation', () => {
  const browser = withBrowser()
  const wiki = withService({ wikiAddresses: { en: 'https://wiki.example', ur: 'https://ur.wiki.example' } })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  withWorld(wiki, {
    locales: ['en', 'ur'],
    categories: [
      { key: 'tea', locale: 'en', name: 'Tea' },
      { key: 'b/c', locale: 'en', name: 'b/c' },
      { key: 'tea', locale: 'ur', name: 'Tea' },
    ],
    pages: [
      ...['en', 'ur'].map((locale) => ({ path: 'guide', locale, revisions: [{ markdown: DOCUMENTATION }] })),
      { path: 'home', locale: 'ur', revisions: [{ markdown: 'A #tea.', categories: [{ key: 'tea' }] }] },
      {
        path: 'tagged',
        locale: 'en',
        revisions: [{ markdown: TAGGED, categories: [{ key: 'tea' }, { key: 'b/c' }] }],
      },
      ...Object.entries({
        titled: TITLED,
        long: LONG,
        short: SHORT,
        blank: '',
      }).map(([path, markdown]) => ({
        ...{ path, locale: 'en', revisions: [{ markdown }] },
      })),
    ],
  })

  visits(
    'contents have two levels in a list that follows what one reads, or three if they are few',
    async ({ page }) => {
      await openReader(page, 'page=long&locale=en')
      expect(await page.locator('.contents a').count()).to.equal(120)
      const inList = (): Promise<boolean> =>
        page.evaluate(`(() => {
        const [list, link] = ['ul', '[aria-current]'].map((one) =>
          document.querySelector('.contents ' + one).getBoundingClientRect())
        return link.top >= list.top && link.bottom <= list.bottom
      })()`)
      await page.locator('#word-100').scrollIntoViewIfNeeded()
      await page.locator('.contents [aria-current]', { hasText: /Word (9|10)/ }).waitFor()
      await until('the section is in the list', inList)
      expect((await page.locator('.side > aside').boundingBox())!.y, 'below it').to.be.below(600)
      expect(await page.locator('article > aside').innerText()).to.equal('Box')
      await page.setViewportSize({ width: 390, height: 844 })
      await page.locator('.contents details:not([open]) summary').click()
      await until('the section is in the list', inList)
      await openReader(page, 'page=short&locale=en')
      expect(await page.locator('.contents .lowest').allTextContents()).to.deep.equal(['At t^2'])
    },
  )

  visits('tags in a text are links to their categories, and films are played', async ({ page }) => {
    await page.route('https://x.example/**', (route) => route.fulfill({ body: '' }))
    await openReader(page, 'page=tagged&locale=en')
    const links = page.locator('article a')
    expect(await links.allInnerTexts()).to.deep.equal(['#tea', '#B/c', '#tea'])
    expect(await page.locator('article video[controls]').getAttribute('aria-label')).to.equal('A film')
    await links.nth(1).click()
    await heading(page, 'b/c').waitFor()
    // So they are on a main page.
    await openReader(page, 'locale=ur')
    await page.locator('article').getByRole('link', { name: '#tea' }).waitFor()
  })

  visits('where there is no room beside the text, a bar with the contents stays', async ({ page }) => {
    const link = page.getByRole('link', { name: 'Word 70', exact: true })
    for (const width of [360, 820, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      await openReader(page, 'page=long&locale=en#word-60')
      await page.locator('.contents .here', { hasText: 'Word 60' }).waitFor()
      const edgeOf = async (part: string) => (await page.locator(part).boundingBox())!
      const [header, bar, target] = await Promise.all(['.site-header', '.contents', '#word-60'].map(edgeOf))
      expect(bar!.y, `${width}`).to.be.closeTo(header!.height, 1)
      expect(target!.y, `${width}`).to.be.within(bar!.y + bar!.height, bar!.y + bar!.height + 60)
      await page.locator('.contents summary').click()
      await link.focus()
      expect((await edgeOf('#word-60')).y, `${width}: the list covers the text`).to.equal(target!.y)
      await page.keyboard.press('Escape')
      expect([await link.isVisible(), await focused(page)]).to.deep.equal([false, 'Contents Word 60'])
      await page.keyboard.press('Enter')
      await link.click()
      await link.waitFor({ state: 'hidden' })
      expect((await edgeOf('#word-70')).y, `${width}`).to.be.above(bar!.y + bar!.height)
      const atLabel = `(() => {
        const bar = document.querySelector('.contents').getBoundingClientRect()
        const label = document.querySelector('.code > button')
        scrollBy({ top: label.getBoundingClientRect().top - bar.top - 4, behavior: 'instant' })
        const { left, top } = label.getBoundingClientRect()
        return document.elementFromPoint(left + 4, top + 4)?.closest('.contents, .code').className
      })()`
      expect(await page.evaluate(atLabel), `${width}: nothing is above the bar`).to.contain('contents')
    }
  })

  visits('at the end of a page, the columns beside it stay where they are', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 800 })
    for (const query of ['page=long&locale=en', 'page=guide&locale=ur']) {
      await openReader(page, query)
      await page.evaluate('scrollTo(0, 700)')
      const places = () =>
        page.evaluate(`['.shelf', '.side'].map((one) => {
          const { top, left, width } = document.querySelector(one).getBoundingClientRect()
          return [top, left, width].map(Math.round)
        })`)
      const before = await places()
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      expect(await places(), query).to.deep.equal(before)
      const { y, height } = (await page.locator('.site-footer').boundingBox())!
      expect(y + height, 'nothing below it').to.be.closeTo(800, 1)
    }
  })

  visits(
    'titles of code have its button, those of folded alerts their sign, and underscores are seen; a page without text says so, also without scripts',
    async ({ page }) => {
      await openReader(page, 'page=titled&locale=en')
      const [sign, offset] = (await page.evaluate(`[
        getComputedStyle(document.querySelector('article summary'), '::before').clipPath,
        getComputedStyle(document.querySelector('a:has(> code)')).textUnderlineOffset,
      ]`)) as [string, string]
      const parts = ['figcaption', 'figcaption + .code > button', 'figcaption + .code code'].map(
        async (part) => (await page.locator(part).first().boundingBox())!,
      )
      const [title, copy, code] = await Promise.all(parts)
      expect(copy!.y).to.be.within(title!.y, title!.y + title!.height - copy!.height)
      expect(code!.y).to.be.above(title!.y + title!.height)
      expect(sign).to.match(/^path/)
      expect(Number.parseFloat(offset), 'below an underscore').to.be.above(5)
      const cards = ['A card', 'Another'].map(async (text) => (await page.getByText(text).boundingBox())!)
      const [first, next] = await Promise.all(cards)
      expect(next!.x, 'beside it').to.be.above(first!.x + first!.width)
      await openReader(page, 'page=blank&locale=en')
      expect(await page.locator('article').innerText()).to.equal('This page has no text.')
      expect(await (await page.request.get(page.url())).text()).to.include('page has no text.</p></article>')
    },
  )

  visits(
    'text, lines, code, alerts and tables have the same edges, in the middle of one column; around a page in a language that the shell does not speak, all has the direction of the page',
    async ({ page }) => {
      for (const locale of ['en', 'ur']) {
        await openReader(page, `page=guide&locale=${locale}`)
        for (const width of [390, 820, 1024, 1150, 1440]) {
          await page.setViewportSize({ width, height: 800 })
          const [main, ...boxes] =
            (await page.evaluate(`[...document.querySelectorAll('main, article > *')].map((one) => {
          const { left, right } = one.getBoundingClientRect()
          return { name: one.className || one.localName, left, right }
        })`)) as { name: string; left: number; right: number }[]
          const { left, right } = boxes[0]!
          const name = `${locale}, ${width}`
          expect(boxes.map((one) => one.name)).to.include.members(['p', 'hr', 'code', 'table', 'heading h2'])
          expect(
            boxes.filter((one) => one.left !== left || one.right !== right),
            name,
          ).to.deep.equal([])
          if (width <= 1024) expect(left - main!.left, name).to.be.closeTo(main!.right - right, 1)
          else expect(right - left, name).to.be.within(530, 688)
        }
      }
      const right = async (part: string) => {
        const { x, width } = (await page.locator(part).first().boundingBox())!
        return Math.round(x + width)
      }
      const [brand, tree, article, contents] = await Promise.all(
        ['.brand', '.tree', 'article', '.contents'].map(right),
      )
      expect([brand! - tree! < 20, tree! > article!, article! > contents!]).to.deep.equal([true, true, true])
      expect(await page.locator('.contents').getAttribute('aria-label')).to.equal('Contents')
      expect(await page.locator('aside time').innerText(), 'in Urdu').to.match(/\p{Script=Arabic}/u)
      expect(await right('.contents ul')).to.equal(contents)
    },
  )

  visits(
    'marked lines of code have colors, and the button copies no removed line; tasks of a loose list have no bullets; on paper, code and tables are whole, and so is what is folded',
    async ({ page, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await openReader(page, 'page=guide')
      const box = page.locator('.code[data-language="js"]').nth(1)
      await box.locator('.hljs-keyword').waitFor()
      expect(await box.locator('mark, ins, del').allTextContents()).to.deep.equal([
        'const tea = `green\n',
        'and white`\n',
        'brew()\n',
        'steep()\n',
      ])
      expect(await box.locator('ins .hljs-string').allTextContents()).to.deep.equal(['and white`'])
      expect(await box.locator('pre').textContent()).to.equal(
        'const tea = `green\nand white`\nbrew()\nsteep()\n',
      )
      expect(await violations(page)).to.deep.equal([])
      const button = box.getByRole('button', { name: 'Copy' })
      const [code, copy] = [await box.locator('code').boundingBox(), await button.boundingBox()]
      expect(copy!.y + copy!.height, 'covers no code').to.be.at.most(code!.y)
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('.code'), '::before').content"),
      ).to.equal('"js\u00a0"')
      const written = await (await page.request.get(page.url())).text()
      expect(written, 'nothing moves').to.include('<div class="code" data-language="js">')
      await button.click()
      await box.getByRole('button', { name: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
        'const tea = `green\nand white`\nsteep()\n',
      )
      expect(
        await page.evaluate(
          "getComputedStyle(document.querySelector('article li:has(input)')).listStyleType",
        ),
      ).to.equal('none')
      expect(await page.getByRole('checkbox', { name: 'done' }).count()).to.equal(1)
      await page.setViewportSize({ width: 700, height: 900 })
      await page.emulateMedia({ media: 'print' })
      const wider =
        await page.evaluate(`[...document.querySelectorAll('article :is(pre, code, .scroller, table)')]
      .filter((one) => one.getBoundingClientRect().right > document.querySelector('article').getBoundingClientRect().right + 1)
      .map((one) => one.localName)`)
      expect(wider).to.deep.equal([])
      expect(await page.getByText('Inside.').isVisible(), 'folded').to.equal(true)
      expect(await page.locator('aside time').isVisible(), 'the last edit').to.equal(true)
    },
  )
})

describe('reader of hostile content', () => {
  const browser = withBrowser()
  const wiki = withService({ wikiAddresses: { en: 'https://wiki.example/wiki' } })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`
  const path = 'a/%?#&<b>"\'+\u00e9'
  const category = 'javascript:alert(3)'
  withWorld(wiki, {
    name: HOSTILE,
    locales: ['en', 'en-us-us'],
    categories: [{ key: category, locale: 'en', name: HOSTILE }],
    pages: [
      {
        path,
        revisions: [
          {
            title: HOSTILE,
            author: HOSTILE,
            comment: HOSTILE,
            categories: [{ key: category }],
            markdown: `${'A line.\n\n'.repeat(80)}## Status\n\n[x](javascript:alert(4)) <script>alert(5)</script>`,
          },
        ],
      },
      {
        path: 'tea',
        locale: 'en-us-us',
        revisions: [
          { markdown: 'green tea' },
          { markdown: 'black tea', created_at: '2024-01-02T00:00:00.000000Z' },
        ],
      },
    ],
  })

  const encodedPath = encodeURIComponent(path)
  visits('shows titles, authors, comments and paths as text', async ({ page }) => {
    for (const query of [
      '',
      `page=${encodedPath}`,
      `history=${encodedPath}`,
      `category=${encodeURIComponent(category)}`,
      'q=line',
    ]) {
      await openReader(page, query)
      expect(await page.locator('main').innerText(), query).to.include(HOSTILE)
      expect(await page.locator('main script, main img[src=x], main [onerror]').count()).to.equal(0)
      expect(await page.locator('[href^="javascript:"]').count()).to.equal(0)
    }
  })

  visits(
    'a page whose path has all kinds of characters leads to its history, its edit, back and to its sections; a fragment that cannot be decoded leads to the top',
    async ({ page }) => {
      await openReader(page, `page=${encodedPath}`)
      await page.getByRole('link', { name: 'History' }).click()
      await heading(page, `History of ${HOSTILE}`).waitFor()
      await page.getByRole('link', { name: 'View this version' }).click()
      await page.getByRole('link', { name: 'Current page' }).click()
      await page.getByRole('link', { name: 'History' }).waitFor()
      expect(new URL(page.url()).searchParams.get('page')).to.equal(path)
      await openReader(page, `page=${encodedPath}&locale=en#status`)
      expect(await page.evaluate('scrollY')).to.be.above(500)
      await openReader(page, `page=${encodedPath}#100%`)
      expect(await page.evaluate('scrollY')).to.equal(0)
    },
  )

  visits('shows what changed in a language that browsers do not know', async ({ page }) => {
    await openReader(page, 'history=tea&locale=en-us-us')
    await page.getByRole('link', { name: 'what changed' }).first().click()
    await page.locator('ins mark').waitFor()
    expect(await page.locator('ins mark').innerText()).to.equal('black')
  })
})

describe('reader of tabs, of a wiki without a license', () => {
  const browser = withBrowser()
  const wiki = withService({ wikiAddresses: {} })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  const tab = (title: string, text: string) =>
    `<section class="tab">\n\n**${title}**\n\n${text}\n\n</section>\n\n`
  const two = tab('npm', '```sh\nnpm i tea\n```') + tab('yarn', '# Yarn\n\ngreen')
  const again = { title: 'Tabs', markdown: `Tea\n\n${two}${tab('npm', 'black')}` }
  withWorld(wiki, {
    license: null,
    locales: ['en', 'ar'],
    pages: [
      { path: 'tabs', locale: 'en', revisions: [again] },
      { path: 'tabs', locale: 'ar', revisions: [again] },
      { path: 'two', locale: 'en', revisions: [{ title: 'Two', markdown: `Tea\n\n${two}end` }] },
    ],
  })
  const shown = (page: Page) => page.locator('[role=tabpanel]:not([hidden])').allInnerTexts()

  visits('shows one of several sections, which keys and links to it choose', async ({ page }) => {
    await openReader(page, 'page=tabs&locale=en')
    expect(await page.getByRole('tab').allInnerTexts()).to.deep.equal(['npm', 'yarn', 'npm'])
    expect((await shown(page)).map((text) => text.replace(/\s*Copy/, ''))).to.deep.equal([
      'npm i tea',
      'black',
    ])
    expect(await violations(page)).to.deep.equal([])
    await page.getByRole('tab').first().focus()
    await page.keyboard.press('ArrowRight')
    expect(await focused(page)).to.equal('yarn')
    expect((await shown(page))[0]).to.include('green')
    await page.keyboard.press('ArrowRight')
    expect((await shown(page))[0]).to.include('npm i tea')
    await page.evaluate("location.hash = '#yarn'")
    await page.getByText('green').waitFor()
    await openReader(page, 'page=tabs&locale=en#yarn')
    await page.getByText('green').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('tab').count()).to.equal(0)
    expect(
      await page.evaluate(`[...document.querySelectorAll('.tab')].map((one) =>
        [getComputedStyle(one, '::before').content, one.checkVisibility({ contentVisibilityAuto: true }) && one.offsetHeight > 20])`),
    ).to.deep.equal(['npm', 'yarn', 'npm'].map((name) => [`"${name}"`, true]))
    await page.emulateMedia({ media: 'screen' })
    await openReader(page, 'page=tabs&locale=ar')
    await page.getByRole('tab').first().focus()
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).to.equal('yarn')
  })

  it('a reload shows the text that the service has just sent', async () => {
    const edit = async (markdown: string, created_at: string) => {
      const pages = [{ path: 'new', revisions: [{ markdown, created_at }] }]
      await importRecords(recordsOf({ license: null, locales: ['en', 'ar'], pages }))
      wiki.service.invalidate()
    }
    await edit('Green', '2024-01-01T00:00:00Z')
    // Without routes, which turn the cache of the browser off.
    await inNewContext(
      browser,
      async (context) => {
        const page = await context.newPage()
        await page.goto('/wiki/en/new')
        await settled(page)
        await edit('Black', '2024-01-02T00:00:00Z')
        await page.reload()
        await settled(page)
        expect(await page.locator('article').innerText()).to.equal('Black')
      },
      { baseURL: wiki.service.listeningUrl },
    )
  })

  visits(
    'nothing moves when sections become tabs: the text that came with the page stays, and is built again only in other views; nothing tells of an unknown license, and no page links to itself',
    async ({ page }) => {
      const load = await holdScripts(page)
      await page.goto('/wiki/en/two', { waitUntil: 'commit' })
      const end = page.locator('article > p', { hasText: 'end' })
      await end.waitFor()
      await page.evaluate('document.fonts.ready')
      const before = [await end.boundingBox(), await page.locator('pre').boundingBox()]
      await page.evaluate('document.querySelector("article").isWritten = true')
      load()
      await page.getByRole('tab').first().waitFor()
      expect([await end.boundingBox(), await page.locator('pre').boundingBox()]).to.deep.equal(before)
      const isWritten = () => page.evaluate('document.querySelector("article").isWritten === true')
      await settled(page)
      expect(await page.getByRole('complementary').innerText()).not.to.match(/icense|on the wiki/)
      expect(await page.getByRole('contentinfo').innerText()).to.equal('')
      expect(await isWritten()).to.equal(true)
      await page.getByRole('link', { name: 'History', exact: true }).click()
      await heading(page, /History of/).waitFor()
      await page.goBack()
      await page.getByRole('tab').first().waitFor()
      expect(await isWritten()).to.equal(false)
    },
  )
})
