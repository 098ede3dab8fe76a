import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { marked, type Tokens } from 'marked'
import { packagePath } from '../src/paths.ts'
import { serveSample } from './support/sample.ts'

interface QueryExample {
  title: string
  query: string
  output: string
}

/** The queries of docs/graphql.md, each with its output. */
const examplesOf = (markdown: string): QueryExample[] => {
  const examples: QueryExample[] = []
  let title = ''
  let query = ''
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') title = token.text
    if (token.type !== 'code') continue
    const { lang, text } = token as Tokens.Code
    if (lang === 'graphql') query = text
    if (lang === 'output') examples.push({ title, query, output: text })
  }
  return examples
}

describe('docs/graphql.md', () => {
  const examples = examplesOf(readFileSync(packagePath('docs', 'graphql.md'), 'utf8'))
  let sample: Awaited<ReturnType<typeof serveSample>>
  before(async () => {
    sample = await serveSample('http://localhost:3000/api/v1')
  })
  after(() => sample?.stop())

  const run = async (body: object) => {
    const response = await fetch(`${sample.internalOrigin}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { data: unknown; errors?: unknown }
  }

  it('has four examples', () => {
    expect(examples).to.have.length(4)
  })

  for (const { title, query, output } of examples) {
    it(`${title}: the query has the documented output`, async () => {
      expect(JSON.stringify((await run({ query })).data, null, 2)).to.equal(output)
    })
  }

  it('/schema.graphql is the schema as text, with the specifications of its scalars', async () => {
    const response = await fetch(`${sample.internalOrigin}/schema.graphql`)
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8')
    const text = await response.text()
    expect(text).to.include('type Query {').and.include('scalar UUID @specifiedBy(url: "https://')
    expect((text.match(/^scalar .*@specifiedBy/gm) ?? []).length).to.equal(3)
  })
})
