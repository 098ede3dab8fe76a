/**
 * Shows pages as their own site shows them, beside the HTML of a running service, for people who compare the two:
 *
 *     node dist/bench/sites/page-pairs.js SITE http://localhost:3000/api/v1 FOLDER PATH[=ADDRESS]…
 *
 * SITE is the folder of a built site or a URL; ADDRESS is where it has the page, if not at the path. Writes a picture of each
 * pair into FOLDER, and prints the pieces of text that only one of the two shows.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { inNewContext, launchBrowser } from '../../test/browser/support/browser.ts'

const WINDOW = { width: 900, height: 800 }
/** Pixels of a picture; the rest of a longer page is not shown. */
const HEIGHT_MAX = 8_000
/** Words that are compared at once. */
const PIECE = 4

/** The content of a page on sites of common themes, the first that there is. */
const CONTENT =
  '.vp-doc|.theme-doc-markdown|.sl-markdown-content|.md-content__inner|.book-article|.td-content|main|article|body'
const AROUND =
  'nav,script,noscript,style,button,label,footer,.headerlink,.hash-link,.header-anchor,.lang,.linenos'

const STYLE = `<meta charset=utf-8><style>body { font: 16px/1.5 sans-serif; margin: 16px; width: 800px }
pre { background: #eee; padding: 8px; overflow: auto } img { max-width: 100% } td, th { border: 1px solid #aaa }
table { border-collapse: collapse } blockquote { border-left: 4px solid #aaa; margin: 0; padding-left: 12px }</style>`

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}

/** Serves the folder of a built site until the process ends. */
const serveFolder = async (folder: string): Promise<string> => {
  const server = createServer(({ url = '/' }, response) => {
    const name = join(folder, join('/', decodeURIComponent(url.replace(/[?#].*/, ''))))
    const files = [name, `${name}.html`, join(name, 'index.html')]
    const file = files.find((one) => statSync(one, { throwIfNoEntry: false })?.isFile())
    if (file === undefined) return response.writeHead(404).end()
    return response.setHeader('content-type', TYPES[extname(file)] ?? '').end(readFileSync(file))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A picture of a page, and the words of its content. @param html shown instead of what the URL has */
const look = (context: BrowserContext, url: string, html?: string) =>
  context.newPage().then(async (page) => {
    if (html !== undefined)
      await page.route(url, (route) => route.fulfill({ body: html, contentType: 'text/html' }))
    await page.goto(url, { waitUntil: 'load' })
    const height = Math.min(HEIGHT_MAX, await page.evaluate<number>('document.documentElement.scrollHeight'))
    await page.setViewportSize({ ...WINDOW, height })
    const picture = await page.screenshot({ timeout: 30_000 })
    const text = await page.evaluate<string>(`(() => {
      const content = '${CONTENT}'.split('|').map((one) => document.querySelector(one)).find((one) => one)
      for (const one of content.querySelectorAll('${AROUND}')) one.remove()
      for (const one of content.querySelectorAll('p,li,td,th,pre,div,h1,h2,h3,h4,h5,h6,br,dt,dd')) one.append(' ')
      return content.textContent
    })()`)
    await page.close()
    return { picture: picture.toString('base64'), words: text.split(/\s+/), height }
  })

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The pieces of a text that another text does not have. */
const missing = (words: readonly string[], others: readonly string[]): string[] => {
  const all = letters(others.join(''))
  const pieces: string[] = []
  let last = Number.NEGATIVE_INFINITY
  for (let at = 0; at + PIECE <= words.length; at++) {
    if (all.includes(letters(words.slice(at, at + PIECE).join('')))) continue
    const isNext = at - last <= PIECE && pieces.length > 0
    const more = words.slice(isNext ? last + 1 : at, at + 1).join(' ')
    if (isNext) pieces[pieces.length - 1] += ` ${more}`
    else pieces.push(more)
    last = at
  }
  return pieces
}

const main = async ([site = '', api = '', folder = '', ...paths]: string[]): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const origin = existsSync(site) ? await serveFolder(site) : site.replace(/\/$/, '')
  const browser = await launchBrowser()
  const use = async (context: BrowserContext): Promise<void> => {
    for (const [path = '', address = path] of paths.map((one) => one.split('='))) {
      const response = await fetch(`${api}/pages/${encodeURIComponent(path)}?include=html`)
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      const { title, html, url } = (await response.json()) as { title: string; html: string; url: string }
      const theirs = await look(context, `${origin}/${address}`)
      const ours = await look(context, url, `${STYLE}<h1>${title}</h1>${html}`)
      const page = await context.newPage()
      await page.setViewportSize({ width: 2 * WINDOW.width, height: Math.max(theirs.height, ours.height) })
      const images = [theirs, ours].map(({ picture }) => `<img src="data:image/png;base64,${picture}">`)
      await page.setContent(`<body style="display: flex; align-items: start; margin: 0">${images.join('')}`)
      const pair = await page.screenshot()
      await page.close()
      writeFileSync(join(folder, `${path.replaceAll('/', '-')}.png`), pair)
      console.log(path)
      for (const piece of missing(theirs.words, ours.words)) console.log(`  - ${piece}`)
      for (const piece of missing(ours.words, theirs.words)) console.log(`  + ${piece}`)
    }
  }
  await inNewContext({ browser }, use, { viewport: WINDOW, colorScheme: 'light' })
  await browser.close()
}

await main(process.argv.slice(2))
