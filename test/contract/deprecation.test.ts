import { expect } from 'chai'
import { categoriesRoute } from '../../src/rest/routes/categories.ts'
import { pagesRoute } from '../../src/rest/routes/pages.ts'
import { withService, withWorld } from '../support/service.ts'

describe('an endpoint that will go', () => {
  before(() => {
    for (const route of [categoriesRoute, pagesRoute])
      route.deprecation = { since: '2027-01-01', sunset: '2027-07-01' }
  })
  after(() => {
    for (const route of [categoriesRoute, pagesRoute]) delete route.deprecation
  })
  const test = withService()
  withWorld(test, { pages: [{ path: 'a' }, { path: 'b' }] })

  it('says since when, until when, and where its documentation is', async () => {
    for (const path of ['/categories', '/pages?limit=1']) {
      const { headers } = await test.get(path)
      expect(headers.deprecation, path).to.equal('@1798761600')
      expect(headers.sunset, path).to.equal('Thu, 01 Jul 2027 00:00:00 GMT')
      expect(headers.link, path).to.match(
        /; rel="license", <http:\/\/localhost:3000\/api\/v1\/docs#list\w+>; rel="deprecation"$/,
      )
    }
  })

  it('is deprecated in openapi.json, and no other is', async () => {
    const { body } = await test.get('/openapi.json')
    const deprecated = Object.entries<{ get: { deprecated?: boolean } }>(body.paths).flatMap(
      ([path, { get }]) => (get.deprecated ? [path] : []),
    )
    expect(deprecated).to.have.members(['/categories', '/pages'])
    expect((await test.get('/recent')).headers).not.to.have.any.keys('deprecation', 'sunset')
  })
})
