import { expect } from 'chai'
import { withBrowser } from './support/browser.ts'
import { visit, withSample } from './support/site.ts'

describe('GraphiQL', () => {
  const browser = withBrowser()
  const sample = withSample()

  it('opens under its policy, sends no request to other origins, and runs its first query', () =>
    visit(browser, sample.internalOrigin, async ({ page, faults }) => {
      await page.goto('/graphql')
      await page.locator('.graphiql-execute-button').click()
      await page.locator('.result-window').getByText('Tea Wiki').waitFor()
      expect(faults).to.deep.equal([])
    }))
})
