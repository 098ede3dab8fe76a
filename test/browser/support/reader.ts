import type { BrowserContext, Frame, Page } from 'playwright-core'
import { packagePath } from '../../../src/paths.ts'
import { inNewContext, type TestBrowser } from './browser.ts'

/** Where the HTML is shown: a site without any policy, so that nothing protects it but what it is. */
const ORIGIN = 'http://reader.example'

/** Payloads that fetch from here do so by what must not be left of them, even if it is an image. */
const MARKER = 'marker.example'

/** What happened when a piece of HTML was shown. */
export interface RenderedHtml {
  /** Code that ran, by what it called. */
  ran: string[]
  /** What it fetched or opened besides images, sound and video of other sites. */
  fetched: string[]
  /** Addresses that are not absolute: attributes, and requests to the site that shows it. */
  relative: string[]
}

/**
 * Shows each piece of HTML in a document of its own, as part of the page and by `innerHTML`; sends every
 * element every event, follows its links, moves the mouse over it, and tells what happened.
 */
export const showHtml = (browser: TestBrowser, pieces: readonly string[]): Promise<RenderedHtml[]> =>
  inNewContext(browser, async (context) => {
    const shown: RenderedHtml[] = pieces.map(() => ({ ran: [], fetched: [], relative: [] }))
    await watch(context, pieces, shown)
    const page = await context.newPage()
    page.on('dialog', (dialog) => dialog.dismiss().catch(() => {}))
    await page.goto(`${ORIGIN}/`)
    const frames = page.mainFrame().childFrames()
    await Promise.all(
      frames.map((frame, i) =>
        provoke(frame, pieces[i]!, shown[i]!).catch((error: Error) => {
          shown[i]!.fetched.push(`its document went away: ${error.message}`)
        }),
      ),
    )
    await useMouseAndKeyboard(page)
    return shown
  })

const watch = async (
  context: BrowserContext,
  pieces: readonly string[],
  shown: RenderedHtml[],
): Promise<void> => {
  const at = (frame: Frame): RenderedHtml | undefined => shown[placeOf(frame)]
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
        for (const one of shown) one.fetched.push('a window')
        page.close().catch(() => {}) // or the mouse would wait behind it
      },
      () => {},
    )
  })
  const given = new Set<number>()
  await context.route('**/*', async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    const own = /^\/(\d*)$/.exec(url.pathname)
    if (url.origin === ORIGIN && own?.[1] === '') {
      await route.fulfill({ contentType: 'text/html', body: frameset(pieces.length) })
      return
    }
    const place = own && url.origin === ORIGIN ? Number(own[1]) : -1
    if (pieces[place] !== undefined && !given.has(place)) {
      given.add(place)
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body: documentOf(pieces[place]) })
      return
    }
    const told = shown[frameOf(request.frame.bind(request))]
    const type = request.resourceType()
    if (url.origin === ORIGIN) told?.relative.push(`${type} ${request.url()}`)
    else if (url.hostname === MARKER || (type !== 'image' && type !== 'media'))
      told?.fetched.push(`${type} ${request.url()}`)
    await route.abort()
  })
}

const frameset = (count: number): string =>
  Array.from({ length: count }, (_, i) => `<iframe name="${i}" src="/${i}"></iframe>`).join('')

const documentOf = (html: string): string =>
  `<!doctype html><meta charset="utf-8"><title>reader</title><main>${html}</main>`

/** Which piece a frame shows, or is part of; -1 for none. */
const placeOf = (frame: Frame): number => {
  let inner = frame
  for (let parent = frame.parentFrame(); parent?.parentFrame(); parent = inner.parentFrame()) inner = parent
  return inner.parentFrame() ? inner.parentFrame()!.childFrames().indexOf(inner) : -1
}

/** A document that is just being fetched has no frame yet. */
const frameOf = (frame: () => Frame): number => {
  try {
    return placeOf(frame())
  } catch {
    return -1
  }
}

const provoke = async (frame: Frame, html: string, shown: RenderedHtml): Promise<void> => {
  await frame.evaluate('reader.settled()')
  await frame.evaluate('reader.provoke()')
  await frame.evaluate(`reader.putAgain(${JSON.stringify(html)})`)
  await frame.evaluate('reader.settled()')
  await frame.evaluate('reader.provoke()')
  shown.relative.push(...((await frame.evaluate('reader.relativeAddresses()')) as string[]))
  await frame.evaluate('reader.settled()')
}

/** Real ones, where synthetic events are told apart. */
const useMouseAndKeyboard = async (page: Page): Promise<void> => {
  for (let y = 20; y < 720; y += 140) await page.mouse.move(20, y, { steps: 8 })
  for (let i = 0; i < 20; i++) await page.keyboard.press('Tab')
}
