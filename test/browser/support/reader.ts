import type { BrowserContext, Frame, Page } from 'playwright-core'
import { packagePath } from '../../../src/paths.ts'
import { inNewContext, type TestBrowser } from './browser.ts'

/** The site that shows the HTML. It has no Content-Security-Policy, so that only the sanitizing protects it. */
const ORIGIN = 'http://reader.example'

/** The host from which payloads fetch if sanitizing has failed. Images from it are failures too. */
const MARKER = 'marker.example'

/** What happened when a browser rendered a piece of HTML. */
export interface RenderedHtml {
  /** Code that ran, by the function that it called. */
  ran: string[]
  /** What it fetched or opened, except images, audio and video of other sites. */
  fetched: string[]
  /** URLs that are not absolute: in attributes, and in requests to the site that shows the HTML. */
  relative: string[]
}

/**
 * Shows each piece of HTML in its own document, as part of the page and by `innerHTML`. Sends every event to every
 * element, follows the links, moves the mouse over the document, and returns what happened.
 */
export const showHtml = (browser: TestBrowser, pieces: readonly string[]): Promise<RenderedHtml[]> =>
  inNewContext(browser, async (context) => {
    const results: RenderedHtml[] = pieces.map(() => ({ ran: [], fetched: [], relative: [] }))
    await watch(context, pieces, results)
    const page = await context.newPage()
    page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}))
    await page.goto(`${ORIGIN}/`)
    const frames = page.mainFrame().childFrames()
    await Promise.all(
      frames.map((frame, i) =>
        provoke(frame, pieces[i]!, results[i]!).catch((error: Error) => {
          results[i]!.fetched.push(`its document was replaced: ${error.message}`)
        }),
      ),
    )
    await useMouseAndKeyboard(page)
    return results
  })

const watch = async (
  context: BrowserContext,
  pieces: readonly string[],
  results: RenderedHtml[],
): Promise<void> => {
  const at = (frame: Frame): RenderedHtml | undefined => results[indexOf(frame)]
  await context.exposeBinding('ran', ({ frame }, how) => {
    at(frame)?.ran.push(String(how ?? 'ran'))
  })
  await context.addInitScript({ path: packagePath('test', 'browser', 'support', 'in-reader.js') })
  context.on('page', (page) => {
    page.on('frameattached', (frame) => {
      if (frame.parentFrame()?.parentFrame()) at(frame)?.fetched.push('a frame')
    })
    page.opener().then(
      (opener) => {
        if (!opener) return
        for (const one of results) one.fetched.push('a window')
        page.close().catch(() => {}) // an open window would delay the mouse
      },
      () => {},
    )
  })
  const served = new Set<number>()
  await context.route('**/*', async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    const own = /^\/(\d*)$/.exec(url.pathname)
    if (url.origin === ORIGIN && own?.[1] === '') {
      await route.fulfill({ contentType: 'text/html', body: frameset(pieces.length) })
      return
    }
    const index = own && url.origin === ORIGIN ? Number(own[1]) : -1
    if (pieces[index] !== undefined && !served.has(index)) {
      served.add(index)
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body: documentOf(pieces[index]) })
      return
    }
    const result = results[frameOf(request.frame.bind(request))]
    const type = request.resourceType()
    if (url.origin === ORIGIN) result?.relative.push(`${type} ${request.url()}`)
    else if (url.hostname === MARKER || (type !== 'image' && type !== 'media'))
      result?.fetched.push(`${type} ${request.url()}`)
    await route.abort()
  })
}

const frameset = (count: number): string =>
  Array.from({ length: count }, (_, i) => `<iframe name="${i}" src="/${i}"></iframe>`).join('')

const documentOf = (html: string): string =>
  `<!doctype html><meta charset="utf-8"><title>reader</title><main>${html}</main>`

/** The index of the piece that a frame shows or belongs to; -1 if there is none. */
const indexOf = (frame: Frame): number => {
  let inner = frame
  for (let parent = frame.parentFrame(); parent?.parentFrame(); parent = inner.parentFrame()) inner = parent
  return inner.parentFrame() ? inner.parentFrame()!.childFrames().indexOf(inner) : -1
}

/** A document that is being fetched has no frame yet. */
const frameOf = (frame: () => Frame): number => {
  try {
    return indexOf(frame())
  } catch {
    return -1
  }
}

const provoke = async (frame: Frame, html: string, results: RenderedHtml): Promise<void> => {
  await frame.evaluate('reader.settled()')
  await frame.evaluate('reader.provoke()')
  await frame.evaluate(`reader.insertAgain(${JSON.stringify(html)})`)
  await frame.evaluate('reader.settled()')
  await frame.evaluate('reader.provoke()')
  results.relative.push(...((await frame.evaluate('reader.relativeUrls()')) as string[]))
  await frame.evaluate('reader.settled()')
}

/** Real input events, because scripts can detect synthetic ones. */
const useMouseAndKeyboard = async (page: Page): Promise<void> => {
  for (let y = 20; y < 720; y += 140) await page.mouse.move(20, y, { steps: 8 })
  for (let i = 0; i < 20; i++) await page.keyboard.press('Tab')
}
