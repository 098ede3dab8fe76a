import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { graphqlSchema } from '../src/graphql.ts'
import { readStoredDocuments } from '../src/internal/stored-documents.ts'
import { usageErrorOf } from './support/failures.ts'
import { withService, withWorld } from './support/service.ts'

const TITLES = `# Titles of pages: чай.
query titles($first: Int! = 50) {
  pages(locale: "en", first: $first) {
    title
  }
}
`
const TWO = 'query one { wiki { name } } query two { page(locale: "en", path: "b") { path } }'
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'lectern-test-'))

const folderWith = (files: Record<string, string>): string => {
  const folder = temporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe('persisted documents of the internal GraphQL', () => {
  const graphqlDocuments = folderWith({
    'titles.graphql': TITLES,
    'two.graphql': TWO,
    'README.md': 'not read',
  })
  const test = withService({ graphqlDocuments })
  withWorld(test, { pages: [{ path: 'a' }, { path: 'b' }] })

  const send = async (body: object) => {
    const response = await fetch(`${test.service.internalUrl}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  const persistedQuery = (sha256Hash: string) => ({
    extensions: { persistedQuery: { version: 1, sha256Hash } },
  })

  it('a document runs by its hash, with variables: documentId, and the protocol of Apollo', async () => {
    const hash = hashOf(TITLES)
    for (const request of [
      { documentId: `sha256:${hash}` },
      { documentId: hash },
      { documentId: `sha256:${hash.toUpperCase()}` },
      persistedQuery(hash),
    ]) {
      expect(await send(request)).to.deep.equal({
        status: 200,
        body: { data: { pages: [{ title: 'a' }, { title: 'b' }] } },
      })
      expect((await send({ ...request, variables: { first: 1 } })).body).to.deep.equal({
        data: { pages: [{ title: 'a' }] },
      })
    }
    const response = await fetch(`${test.service.internalUrl}/graphql?documentId=sha256:${hash}`)
    expect(await response.json()).to.deep.equal({ data: { pages: [{ title: 'a' }, { title: 'b' }] } })
  })

  it('operationName chooses one of several operations', async () => {
    const { body } = await send({ documentId: `sha256:${hashOf(TWO)}`, operationName: 'two' })
    expect(body).to.deep.equal({ data: { page: { path: 'b' } } })
  })

  it('400 for an unknown hash, with the code and the message that clients expect', async () => {
    const code = 'PERSISTED_QUERY_NOT_FOUND'
    expect(await send(persistedQuery(hashOf('other')))).to.deep.equal({
      status: 400,
      body: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code } }] },
    })
    for (const documentId of [`sha256:${hashOf('other')}`, '', 'titles.graphql', '../titles']) {
      const { status, body } = await send({ documentId })
      expect(status, documentId).to.equal(400)
      expect(body, documentId).to.deep.equal({
        errors: [{ message: 'There is no persisted document with this documentId.', extensions: { code } }],
      })
    }
    for (const request of [
      {},
      { documentId: 1 },
      { documentId: null },
      { extensions: { persistedQuery: 1 } },
    ]) {
      const { status, body } = await send(request)
      expect({
        status,
        message: (body as { errors: { message: string }[] }).errors[0]!.message,
      }).to.deep.equal({
        status: 400,
        message: 'Send a query, or the hash of a persisted document as documentId.',
      })
    }
  })

  it('queries as text still run, also with their hash', async () => {
    const query = '{ wiki { name } }'
    expect((await send({ query, ...persistedQuery(hashOf(query)) })).body).to.deep.equal({
      data: { wiki: { name: 'Test Wiki' } },
    })
  })

  it('the limits of queries apply to the variables of a document', async () => {
    const { status, body } = await send({ documentId: `sha256:${hashOf(TITLES)}`, variables: { first: 202 } })
    expect(status).to.equal(400)
    expect(JSON.stringify(body)).to.include('Query.pages(first:): must be an integer from 1 to 201, not 202')
  })
})

describe('reading persisted documents', () => {
  const failure = (folder: string): Promise<string> =>
    usageErrorOf(readStoredDocuments(folder, graphqlSchema))

  it('names the folder that cannot be read', async () => {
    const folder = temporaryFolder()
    expect(await failure(join(folder, 'none'))).to.equal(
      `GRAPHQL_DOCUMENTS must be a folder that Lectern can read, but "${join(folder, 'none')}" is not: ENOENT`,
    )
  })

  for (const [what, text, message] of [
    ['is not GraphQL', '{ wiki {', /Syntax Error/],
    ['has an unknown field', '{ wiki { color } }', /Cannot query field "color" on type "Wiki"/],
    [
      'costs too much',
      '{ pages(locale: "en", first: 201) { history(first: 201) { items { id } } } }',
      /cost is \d+/,
    ],
    ['is empty', '', /Syntax Error/],
  ] as const) {
    it(`names the file that ${what}, and the mistake`, async () => {
      const folder = folderWith({ 'good.graphql': TITLES, 'bad.graphql': text })
      const found = await failure(folder)
      expect(found).to.include(join(folder, 'bad.graphql')).and.match(message)
    })
  }

  it('an empty folder has none, and folders in it are not read', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'more'))
    expect(await readStoredDocuments(folder, graphqlSchema)).to.have.property('size', 0)
    expect(await readStoredDocuments(undefined, graphqlSchema)).to.equal(undefined)
  })
})
