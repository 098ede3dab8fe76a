import type { BrowserContext, Page } from 'playwright-core'

/** A page, and what went wrong on it. */
export interface WatchedPage {
  page: Page
  /** Dialogs, errors on the console, exceptions, popups, and requests to anywhere but the allowed origins. */
  faults: string[]
}

/**
 * Opens a page that is watched for as long as it lives; a test ends by expecting no `faults`.
 * @param origins where the page may send requests to, such as `http://127.0.0.1:40123`; others are aborted
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
    dialog.dismiss().catch(() => {}) // its page may have gone
  })
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  return { page, faults }
}
