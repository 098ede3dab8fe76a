import { withBrowser } from './support/browser.ts'
import { visitsOf, withSample } from './support/site.ts'

describe('GraphiQL', () => {
  const browser = withBrowser()
  const sample = withSample()
  const visits = visitsOf(browser, () => sample.internalOrigin)

  visits(
    'opens under its policy, sends no request to other origins, and runs its first query',
    async ({ page }) => {
      await page.goto('/graphql')
      await page.locator('.graphiql-execute-button').click()
      await page.locator('.result-window').getByText('Tea Wiki').waitFor()
    },
  )
})
