import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { withService, withWorld } from '../support/service.ts'
import { until } from '../support/until.ts'
import { importOrder } from '../support/world.ts'
import { withBrowser } from './support/browser.ts'
import {
  callsOf,
  heading,
  holdScripts,
  openReader,
  SCREENS,
  settled,
  violations,
  visitsOf,
} from './support/site.ts'

interface Place {
  top: number
  bottom: number
}

describe('reader: folders', () => {
  const browser = withBrowser()
  const wiki = withService({ rateLimit: 0 })
  const visits = visitsOf(browser, () => wiki.service.listeningUrl)
  const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']
  const paths = [
    ...['flat', 'guide', 'guide/chapter-10', 'guide/chapter-2', 'guide/chapter-9', 'lone/only', 'دليل/شاي'],
    ...['0/docs/pages', '0/docs/pages/a', '0/docs/pages/b/c'],
    ...['guide/deep/leaf', 'guide/deep/er/leaf', '08-green-tea', '08-green-tea/cup'],
    ...['08-green-tea/kinds/a', '08-green-tea/kinds/b', '08-green-tea/kinds/c'],
    ...Array.from({ length: 900 }, (_, i) => `posts/post-${i + 50}`),
    ...LETTERS.flatMap((a) =>
      [...'abcdefgilmnorstu'].flatMap((b) => [...'aeio'].map((c) => `كلمة/${a}${b}${c}`)),
    ),
  ]
  /** A wiki without folders, whose main page is neither first nor last by the bytes of paths. */
  const flat = ['home', ...LETTERS.flatMap((a) => [`${a.toUpperCase()}a`, ...[...'eiou'].map((b) => a + b)])]
  const TITLES: Record<string, string> = {
    '08-green-tea': '`Green` Tea!',
    '08-green-tea/kinds/a': 'Zhejiang',
    '08-green-tea/kinds/b': 'Älter',
    '08-green-tea/kinds/c': 'Bancha',
  }
  /** Links whose paths do not fit into the URL of one request. */
  const LONG = Array.from({ length: 12 }, (_, i) => `[Long](/en/${'ф'.repeat(250)}${i})`)
  const TEXTS: Record<string, string> = {
    guide: '# guide\n',
    'guide/deep/leaf': `${'Tea. '.repeat(20)} [Er](er/), [again](er), [None](none/), [Old](/en/guide/old#top)\n\n## Long\n\n${LONG.join(' ')}`,
  }
  withWorld(wiki, {
    name: 'Tea',
    locales: ['en', 'ar', 'de', 'fr', 'it'],
    pages: [
      ...paths.map((path) => ({
        path,
        locale: /^[دك]|^08/.test(path) ? 'ar' : path[0] === '0' ? 'de' : 'en',
        ...(path === 'lone/only' && {
          formerPaths: [{ locale: 'en', path: 'guide/old', revisions: 'any' as const }],
        }),
        revisions: [{ title: TITLES[path] ?? path, markdown: TEXTS[path] ?? 'Tea. '.repeat(20) }],
      })),
      ...flat.map((path) => ({
        path,
        locale: 'fr',
        revisions: [{ title: path, markdown: 'Tea. '.repeat(20) }],
      })),
      ...['index', 'cup/a'].map((path) => ({
        path,
        locale: 'it',
        revisions: [{ title: path, markdown: path === 'index' ? '# index' : 'Tea.' }],
      })),
    ],
  })
  /** The tree that opens: that of the service has no buttons. */
  const tree = (page: Page, name = 'Pages') =>
    page.getByRole('navigation', { name, exact: true }).locator('.tree:has(button)')
  const turns = (page: Page) => page.locator('.turns a').allInnerTexts()
  /** Each entry that is in sight, with the depth of its folder. */
  const entries = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('.tree :is(a, .fold:first-child)')]
      .filter((one) => one.checkVisibility())
      .map((one) => {
        let depth = -1
        for (let list = one; list; list = list.parentElement.closest('.tree ul')) depth += 1
        return '  '.repeat(depth - 1) + one.textContent
      })`)

  visits(
    'shows the tree of folders and pages, open down to the page, and the pages before and after',
    async ({ page }) => {
      await page.goto('/wiki/en/guide/chapter-9')
      await settled(page)
      await tree(page).locator('[aria-current=page]').waitFor()
      expect(await entries(page)).to.deep.equal([
        'flat',
        'guide',
        ...['chapter-2', 'chapter-9', 'chapter-10'].map((name) => `  guide/${name}`),
        '  Deep',
        'Lone',
        'Posts',
      ])
      expect(await turns(page)).to.deep.equal(['guide/chapter-2', 'guide/chapter-10'])
      await tree(page).getByRole('button', { name: 'Deep' }).click()
      await tree(page).getByRole('button', { name: 'Er' }).press('Enter')
      await tree(page).getByRole('link', { name: 'guide/deep/er/leaf' }).waitFor()
      expect(await violations(page)).to.deep.equal([])
      await tree(page).getByRole('button', { name: 'Pages in guide' }).click()
      expect(await entries(page)).to.deep.equal(['flat', 'guide', 'Lone', 'Posts'])
      const trail = page.getByRole('navigation', { name: 'Path' })
      await trail.locator('a:not([href*="pages="])').click()
      await heading(page, /^guide$/).waitFor()
      await tree(page)
        .locator('[aria-current=page]', { hasText: /^guide$/ })
        .waitFor()
      await tree(page).getByRole('link', { name: 'guide/chapter-2' }).waitFor()
      expect(await page.locator('.trail').count()).to.equal(0)
    },
  )

  describe('of a site with an order', () => {
    const ORDER = ['posts/post-7', 'lone/only', 'guide', 'guide/deep/leaf', 'guide/deep/er/leaf']
    ORDER.push('guide/chapter-9', 'guide/chapter-10', 'flat')
    before(async () => {
      await importOrder(...ORDER)
      wiki.service.invalidate()
    })
    after(async () => {
      await importOrder()
      wiki.service.invalidate()
    })

    visits(
      'its groups call folders without a page, and are around pages; a folder of its own has no heading, and groups in others fold',
      async ({ page }) => {
        const inGroup = (groupTitle: string, ...paths: string[]) =>
          paths.map((path) => ({ path, groupTitles: [groupTitle] }))
        const alone = ['lone/only', 'guide/deep/leaf'].flatMap((path) => inGroup(`Group of ${path}`, path))
        await importOrder(
          ...alone,
          ...inGroup('Kinds', 'guide/chapter-9', 'guide/chapter-2'),
          ...inGroup('Other', 'guide/chapter-10'),
          { path: 'posts/post-100', groupTitles: ['Outer', 'News'] },
          'flat',
        )
        wiki.service.invalidate()
        await page.goto('/wiki/en/guide/deep/leaf')
        await settled(page)
        await tree(page).locator('[aria-current=page]').waitFor()
        const [kinds] = await tree(page).locator('li:has(> span:first-child)').allInnerTexts()
        expect(kinds).to.match(/^Kinds\s+guide\/chapter-9\s+guide\/chapter-2$/)
        const trail = page.getByRole('navigation', { name: 'Path' })
        expect(await trail.innerText()).to.match(/Group of guide\/deep\/leaf$/)
        expect(await tree(page).getByText('Group of lone/only').count()).to.equal(1)
        await tree(page)
          .locator('li:has(> span)', { hasText: /^Outer\s*News/ })
          .waitFor()
        const inner = { groupTitles: ['Kinds', 'Cups'] }
        await importOrder(
          ...inGroup('Kinds', 'guide/chapter-9'),
          { path: 'guide/chapter-2', ...inner, navTitle: 'Two' },
          { path: 'guide/chapter-10', ...inner },
          ...inGroup('Other', 'guide/deep/leaf'),
        )
        wiki.service.invalidate()
        await page.goto('/wiki/en/guide/chapter-9')
        await settled(page)
        const two = tree(page).getByRole('link', { name: 'Two' })
        await tree(page).locator('summary', { hasText: 'Cups' }).waitFor()
        expect(await two.isVisible()).to.equal(false)
        await tree(page).locator('summary').press('Enter')
        await two.click()
        await heading(page, 'guide/chapter-2').waitFor()
        await page.reload()
        await tree(page).locator('details[open] [aria-current=page]').waitFor()
        expect(await violations(page)).to.deep.equal([])
        await importOrder(...ORDER)
        wiki.service.invalidate()
      },
    )

    visits('the tree and the links to the next pages follow it, over all folders', async ({ page }) => {
      await page.goto('/wiki/en/guide/chapter-9')
      await settled(page)
      await tree(page).locator('[aria-current=page]').waitFor()
      expect(await entries(page)).to.deep.equal([
        ...['Lone', 'guide', '  Deep'],
        // Without a place: by name, at the end.
        ...['chapter-9', 'chapter-10', 'chapter-2'].map((name) => `  guide/${name}`),
        ...['flat', 'Posts'],
      ])
      const turn = async (rel: 'next' | 'prev', ...titles: string[]) => {
        for (const title of titles) {
          const name = new RegExp(`^${title}$`)
          await page.locator(`.turns a[rel=${rel}]`).filter({ hasText: name }).click()
          await heading(page, name).waitFor()
        }
      }
      await turn('next', 'guide/chapter-10', 'guide/chapter-2')
      await page.goto('/wiki/en/flat')
      await turn('next', 'posts/post-50')
      await page.goto('/wiki/en/lone/only')
      await turn('next', 'guide', 'guide/deep/leaf', 'guide/deep/er/leaf', 'guide/chapter-9')
      await turn('prev', 'guide/deep/er/leaf', 'guide/deep/leaf', 'guide', 'lone/only')
    })

    visits('without a main page, the first page is shown', async ({ page }) => {
      await page.goto('/wiki/en')
      await heading(page, 'lone/only').waitFor()
      await tree(page).locator('[aria-current=page]', { hasText: 'lone/only' }).waitFor()
    })
  })

  visits('without a main page, it shows what is in the wiki', async ({ page }) => {
    await page.goto('/wiki/en')
    await heading(page, 'Tea').waitFor()
    expect(await page.locator('.cards a').allInnerTexts()).to.deep.equal(['flat', 'guide', 'Lone', 'Posts'])
    expect(await violations(page)).to.deep.equal([])
  })

  visits(
    'tree and path begin where more than one folder is, whose page is the main page',
    async ({ page }) => {
      await page.goto('/wiki/de')
      await heading(page, '0/docs/pages').waitFor()
      await tree(page, 'Seiten').locator('[aria-current=page]').waitFor()
      expect(await entries(page)).to.deep.equal(['0/docs/pages', '0/docs/pages/a', 'B'])
      await page.goto('/wiki/de/0/docs/pages/b/c')
      await settled(page)
      expect(await page.locator('.trail').innerText()).to.equal('B')
    },
  )

  visits('the tree marks the page of a history, a comparison and an edit', async ({ page }) => {
    await page.goto('/wiki/en/guide')
    await tree(page).getByRole('link', { name: 'guide/chapter-9' }).click()
    await heading(page, 'guide/chapter-9').waitFor()
    await page.locator('main').getByRole('link', { name: 'History' }).click()
    await heading(page, /^History of/).waitFor()
    const marked = tree(page).locator('[aria-current=page]', { hasText: 'guide/chapter-9' })
    await marked.waitFor()
    for (const name of ['What changed', 'View this version']) {
      await page.locator('main').getByRole('link', { name }).first().click()
      await marked.waitFor()
      expect(await tree(page).locator('[aria-current=page]').count(), name).to.equal(1)
    }
    expect(await page.evaluate("document.querySelector('[rel=icon]').href")).to.match(/\d\/api\/v1\/docs\//)
    expect(await page.evaluate("document.querySelector('[type*=atom]').href")).to.match(
      /\d\/api\/v1\/recent\.atom$/,
    )
  })

  visits(
    'a link to a folder without a page, or to a former path, is none to a missing page',
    async ({ page }) => {
      await page.goto('/wiki/en/guide/deep/leaf')
      await settled(page)
      const unwritten = page.locator('article a.unwritten')
      await until('folders are known', async () => (await unwritten.count()) === 1 + LONG.length)
      expect(await unwritten.first().innerText()).to.equal('None')
      const old = page.getByRole('link', { name: 'Old' })
      expect(await old.getAttribute('href')).to.match(/page=lone%2Fonly&locale=en#top$/)
    },
  )

  visits('a dialog with a long tree shows the page away from its ends', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await openReader(page, 'page=posts/post-500&locale=en')
    await page.locator('.tree:has(button) [aria-current=page]').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Pages', exact: true }).click()
    const link = (await page.locator('dialog [aria-current=page]:focus').boundingBox())!
    expect(link.y).to.be.within(200, 600)
  })

  visits('where there is no room, a button shows the tree in a dialog', async ({ page }) => {
    await page.setViewportSize(SCREENS.phone)
    await page.goto('/wiki/en/guide/chapter-9')
    await settled(page)
    expect(await tree(page).count()).to.equal(0)
    const button = page.getByRole('button', { name: 'Pages', exact: true })
    await button.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Pages' })
    await dialog.locator('[aria-current=page]:focus').waitFor()
    expect(await violations(page)).to.deep.equal([])
    const boxes = [dialog, dialog.locator('[aria-current=page]')].map(
      async (one) => (await one.boundingBox())!,
    )
    const [around, marked] = await Promise.all(boxes)
    expect(around!.width - marked!.x - marked!.width, 'the same margins').to.be.below(30)
    await page.keyboard.press('Escape')
    await page.locator('.open-tree[aria-expanded=false]:focus').waitFor()
    await button.click()
    await dialog.getByRole('link', { name: 'flat' }).click()
    await heading(page, 'flat').waitFor()
    expect(await page.getByRole('dialog').count()).to.equal(0)
    await button.click()
    await page.setViewportSize(SCREENS.desktop)
    await dialog.waitFor({ state: 'hidden' })
    await tree(page).getByRole('link', { name: 'flat' }).waitFor()
  })

  visits('a folder that is no page leads to the list of its pages', async ({ page }) => {
    await page.goto('/wiki/en/guide/deep/er/leaf')
    await settled(page)
    await page.locator('.trail').getByRole('link', { name: 'deep' }).click()
    // The name of the page before contains that of the folder.
    await page.waitForURL(/pages=/)
    await page.locator('.cards li').nth(1).waitFor()
    await heading(page, 'Deep').waitFor()
    expect(await page.locator('.cards li').allInnerTexts()).to.deep.equal([
      'Er\n\nguide/deep/er/leaf',
      `guide/deep/leaf\n\n${'Tea. '.repeat(20)}Er, again, None, Old`,
    ])
    expect(await violations(page)).to.deep.equal([])
    await page.reload()
    await heading(page, 'Deep').waitFor()
    await page.locator('.trail').getByRole('link', { name: 'guide' }).click()
    await heading(page, 'guide').waitFor()
  })

  visits('of a large folder, it shows what is around the page, with few requests', async ({ page }) => {
    const calls = callsOf(page)
    await page.goto('/wiki/en/flat')
    await settled(page)
    await tree(page).getByRole('button', { name: 'Posts' }).waitFor()
    expect(calls.filter((call) => call.includes('/pages?'))).to.have.length(2)
    await page.goto('/wiki/en/posts/post-444')
    await settled(page)
    await tree(page).locator('[aria-current=page]').waitFor()
    expect(await tree(page).locator('ul ul li').count()).to.equal(102)
    expect(await turns(page)).to.deep.equal(['posts/post-443', 'posts/post-445'])
    await tree(page).getByRole('link', { name: 'All pages' }).first().click()
    await heading(page, /^Posts$/).waitFor()
    expect(await page.locator('.rows li').count()).to.equal(900)
  })

  visits('of a large folder with numbers, the order is natural, also without scripts', async ({ page }) => {
    await page.goto('/wiki/en/posts/post-99')
    const numbers = page.locator('.tree ul ul a[href*=post-]')
    const expected = Array.from({ length: 100 }, (_, i) => `posts/post-${i + 50}`)
    await page.locator('.tree:has(button) [aria-current=page]').waitFor()
    expect(await numbers.allInnerTexts()).to.deep.equal(expected)
    expect(await turns(page)).to.deep.equal(['posts/post-98', 'posts/post-100'])
    const withoutScripts = await fetch(new URL('/wiki/en/posts/post-99', page.url()))
    const written = [
      ...(await withoutScripts.text()).matchAll(/<li><a href="[^"]+"[^>]*>(posts\/post-\d+)</g),
    ]
    expect(written.map(([, title]) => title)).to.deep.equal(expected)
  })

  visits('of a large folder, it lists every page, after those before it', async ({ page }) => {
    for (const [name, ...beside] of [
      ['lsi', 'lse', 'lso'],
      ['zuo', 'zui'],
      ['naa', 'muo', 'nae'],
    ]) {
      await page.goto(`/wiki/ar/${encodeURI('كلمة')}/${name}`)
      await settled(page)
      await page.locator('.tree:has(button) [aria-current=page]').waitFor()
      const names = await page.locator('.tree ul ul li').allInnerTexts()
      expect(names.indexOf(`كلمة/${name}`), name).to.be.above(20)
      expect(names[0]).to.equal('كل الصفحات')
      expect(await turns(page)).to.deep.equal(beside.map((one) => `كلمة/${one}`))
    }
    await page.locator('.trail a').click()
    await page.locator('.rows li').nth(89).waitFor()
    expect(await page.locator('.rows .crumbs').count(), 'the path is the title').to.equal(0)
    const place = await page.locator('.rows li').nth(89).boundingBox()
    await page.evaluate("document.querySelector('.more').click()")
    await page.locator('.columns + .columns li').first().waitFor()
    expect(await page.locator('.rows li').nth(89).boundingBox()).to.include({ x: place!.x })
    expect(await page.locator('.columns').first().locator('li').count()).to.equal(90)
  })

  visits('without folders, the main page is first, then names without regard to case', async ({ page }) => {
    const start = await holdScripts(page)
    await page.goto('/wiki/fr', { waitUntil: 'commit' })
    await page.locator('main article').waitFor()
    const links = page.locator('.tree li')
    const expected = ['home', ...flat.slice(1, 101)]
    expect(await links.allInnerTexts()).to.deep.equal(expected)
    await page.evaluate("document.querySelector('.tree ul').className = 'written'")
    start()
    await page.locator('.tree ul:not(.written) [aria-current=page]', { hasText: 'home' }).waitFor()
    expect(await links.allInnerTexts()).to.deep.equal(expected)
    await page.goto('/wiki/fr/Za')
    await page.locator('.tree [aria-current=page]').waitFor()
    expect(await links.allInnerTexts()).to.deep.equal(['home', ...flat.slice(-100)])
  })

  visits(
    'the tree is where it is later before any script; beside a short page, it has the height of the window, and scrolls with the lists below it',
    async ({ page }) => {
      await page.setViewportSize({ width: 1024, height: 800 })
      const start = await holdScripts(page)
      await page.goto('/wiki/en/posts/post-344', { waitUntil: 'commit' })
      const link = page.locator('.tree [aria-current=page]')
      const place = async () => (await link.boundingBox())!.y
      await link.waitFor()
      await until('the tree is there', async () => (await place()) < 700)
      const before = await place()
      start()
      await settled(page)
      await page.locator('.tree:has(button) [aria-current=page]').waitFor()
      expect(await place()).to.be.closeTo(before, 1)
      const places = () =>
        page.evaluate(`['.shelf', '.shelf [aria-current]', '.tree + ul'].map((part) => {
          const { top, bottom } = document.querySelector(part).getBoundingClientRect()
          return { top, bottom }
        })`) as Promise<[Place, Place, Place]>
      // First the browser shows the page at an edge, then, with a later frame, the scripts away from it.
      await until('the page is away from the edges', async () => {
        const [shelf, { top, bottom }] = await places()
        return top > shelf.top + 32 && bottom < shelf.bottom - 32
      })
      const [shelf, , lists] = await places()
      expect(shelf.bottom).to.equal(800)
      expect(lists.top).to.be.above(shelf.bottom)
      // The link to the categories comes when the scripts know that there are some.
      await until('the lists are in sight', async () => {
        await page.locator('.tree + ul a').last().scrollIntoViewIfNeeded()
        return (await places())[2].bottom < shelf.bottom
      })
      expect(await page.evaluate('scrollY')).to.equal(0)
    },
  )

  visits('a page without text lists what is in its folder', async ({ page }) => {
    await page.goto('/wiki/en/guide')
    await settled(page)
    const below = page.locator('article').getByRole('navigation', { name: 'Pages in guide' })
    expect(await page.locator('article > .quiet').isVisible(), 'which is enough').to.equal(false)
    expect(await below.getByRole('link').allInnerTexts()).to.deep.equal([
      ...['guide/chapter-2', 'guide/chapter-9', 'guide/chapter-10', 'Deep'],
    ])
    expect(await violations(page)).to.deep.equal([])
    await below.getByRole('link', { name: 'guide/chapter-9' }).click()
    await heading(page, 'guide/chapter-9').waitFor()
    expect(await below.count()).to.equal(0)
    await page.goto('/wiki/it')
    await settled(page)
    expect(await page.locator('article a').allInnerTexts(), 'a main page').to.deep.equal(['Cup'])
  })

  visits.refused(
    'the address of a folder that is no page shows the list of its pages; where nothing is, the folders above are open',
    async ({ page }) => {
      await page.goto('/wiki/en/guide/deep/er')
      await heading(page, 'Er').waitFor()
      await page.locator('main').getByRole('link', { name: 'guide/deep/er/leaf' }).waitFor()
      await page.goto('/wiki/en/guide/deep/nope')
      await heading(page, 'There is no such page').waitFor()
      await tree(page).getByRole('link', { name: 'guide/deep/leaf' }).waitFor()
      expect(await tree(page).locator('[aria-current=page]').count()).to.equal(0)
    },
  )

  visits('a folder with a number has the title of its page', async ({ page }) => {
    await page.goto('/wiki/ar/08-green-tea/cup')
    await settled(page)
    await page.locator('.tree a', { hasText: /^Green Tea!$/ }).waitFor()
    expect(await page.locator('.trail').innerText()).to.equal('Green Tea!')
  })

  visits(
    'without an order of the site, and without numbers, pages are in that of titles',
    async ({ page }) => {
      const titles = ['Älter', 'Bancha', 'Zhejiang']
      const shown = page
        .locator('.tree:has(button) a[href*=kinds]')
        .and(page.locator('[href$=a], [href$=b], [href$=c]'))
      await page.goto('/wiki/ar/08-green-tea/kinds/c')
      await settled(page)
      await page.locator('.tree:has(button) [aria-current=page]').waitFor()
      expect(await shown.allInnerTexts()).to.deep.equal(titles)
      expect(await turns(page)).to.deep.equal(['Älter', 'Zhejiang'])
      const withoutScripts = await (await fetch(page.url())).text()
      const written = [...withoutScripts.matchAll(/kinds\/[abc]"[^>]*>([^<]+)<\/a><\/li>/g)]
      expect(written.map(([, title]) => title)).to.deep.equal(titles)
    },
  )

  visits('from right to left', async ({ page }) => {
    await page.goto(`/wiki/ar/${encodeURI('دليل/شاي')}`)
    await settled(page)
    const [trail, title] = await Promise.all(
      ['.trail li', 'h1'].map((part) => page.locator(part).first().boundingBox()),
    )
    expect(trail!.x + trail!.width).to.be.closeTo(title!.x + title!.width, 2)
  })

  visits('lists all recent edits by day', async ({ page }) => {
    await openReader(page, 'locale=en')
    await page.getByRole('link', { name: 'Recent edits' }).click()
    await heading(page, 'Recent edits').waitFor()
    const current = page.locator('.shelf [aria-current=page]')
    expect(await current.allInnerTexts()).to.deep.equal(['Recent edits'])
    expect(await page.locator('.rows li').count()).to.equal(50)
    const days = await page.locator('.rows h2').count()
    const sizes = await page.locator('.rows .parts:has(time)').allInnerTexts()
    expect(sizes).to.have.length(50)
    for (const size of sizes) expect(size).to.match(/ bytes? \((?:±0|[+−-][\d,]+)\)/)
    await page.getByRole('button', { name: 'More' }).click()
    await page.locator('.rows li').nth(99).waitFor()
    expect(days).to.be.within(1, 50)
    await page.locator('.rows a').first().click()
    await page.locator('.tree [aria-current=page]').waitFor()
    expect(await current.count()).to.equal(1)
  })
})
