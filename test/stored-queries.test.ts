import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { PageDocument, PagesDocument } from '../src/generated/queries.ts'
import { makeStoredQueries } from '../src/graphql.ts'
import type { ResolverContext } from '../src/resolvers/context.ts'
import { pageVariables } from './support/page-variables.ts'

/** A context with loaders that return what `load` does. */
const contextOf = (load: (key: unknown) => Promise<unknown>): ResolverContext =>
  ({
    loaders: { page: { load }, pageByFormerPath: { load: async () => null }, pages: { load } },
    pageUrl: (locale: string, path: string) => `${locale}/${path}`,
  }) as never

const page = {
  id: '1',
  locale: 'en',
  ns: 'main',
  path: 'tea',
  title: 'Tea',
  revisionId: 'r',
  revisionCreatedAt: 't',
  revisionAuthor: 'Ada',
  revisionMarkdown: 'text',
  categories: [],
  translations: [],
}

describe('stored queries', () => {
  it('throw the error of a resolver, so that a lost database stays a 503', async () => {
    const lost = new Unavailable()
    const run = makeStoredQueries(contextOf(() => Promise.reject(lost)))(PagesDocument)
    const thrown = await run({ locale: 'en', ns: 'main', first: 1 }).catch((error: unknown) => error)
    expect(thrown).to.equal(lost)
  })

  it('leave out fields that are not included', async () => {
    const run = makeStoredQueries(contextOf(async () => page))(PageDocument)
    const { page: result } = await run(pageVariables('en', 'tea'))
    expect(JSON.parse(JSON.stringify(result?.revision))).to.deep.equal({
      id: 'r',
      created_at: 't',
      author: { name: 'Ada' },
      markdown: 'text',
    })
  })

  it('return null for a page that does not exist', async () => {
    const run = makeStoredQueries(contextOf(async () => null))(PageDocument)
    expect(await run(pageVariables('en', 'tea'))).to.deep.equal({
      page: null,
      movedTo: null,
    })
  })

  it('are rejected at the start when they do not fit the schema', () => {
    const document = {
      kind: 'Document',
      definitions: [
        {
          kind: 'OperationDefinition',
          operation: 'query',
          selectionSet: {
            kind: 'SelectionSet',
            selections: [{ kind: 'Field', name: { kind: 'Name', value: 'drafts' } }],
          },
        },
      ],
    }
    expect(() => makeStoredQueries(contextOf(async () => null))(document as never)).to.throw('drafts')
  })
})
