import type { BrowserContext, Page } from 'playwright-core'

/** A page, and its faults. */
export interface WatchedPage {
  page: Page
  /** Dialogs, errors on the console, exceptions, popups, and requests to other origins than the allowed ones. */
  faults: string[]
}

/**
 * Opens a page and records its faults until it is closed. A test ends with the check that `faults` is empty.
 * @param origins allowed origins, for example `http://127.0.0.1:40123`; requests to others are aborted
 */
export const openWatchedPage = async (
  context: BrowserContext,
  origins: readonly string[],
): Promise<WatchedPage> => {
  const faults: string[] = []
  await context.route(
    (url) => !origins.includes(url.origin),
    async (route) => {
      faults.push(`request: ${route.request().resourceType()} ${route.request().url()}`)
      await route.abort()
    },
  )
  const page = await context.newPage()
  context.on('page', (popup) => faults.push(`popup: ${popup.url()}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.type()} ${dialog.message()}`)
    dialog.dismiss().catch(() => {}) // its page may be closed already
  })
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  return { page, faults }
}
