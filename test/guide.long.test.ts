import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { guideMarkdown } from '../src/docs-site/guide/markdown.ts'
import {
  type GuideExample,
  guideExamples,
  missingFor,
  runExample,
  runExamples,
  usesBrowser,
  usesClient,
  WRITTEN_FOR,
} from './support/guide.ts'
import { serveSample } from './support/sample.ts'

const guide = await guideMarkdown()

const PARTS = [
  'Your first request',
  'Read a page',
  'Read a part of a page',
  'Pagination',
  'Read many pages',
  'Languages',
  'Search',
  'Suggest pages',
  'Follow links',
  'List categories',
  'Track changes',
  'Keep a copy',
  'See what an edit changed',
  'Caching',
  'Limits',
  'Errors',
  'Attribution',
]

/** Like `it`, but pending if a program is not installed: tests must need only Node and git. */
const itIn = (example: GuideExample, title: string, test: () => Promise<void>) => {
  const missing = missingFor(example)
  if (missing.length === 0) it(title, test)
  else it(`${title} (pending: ${missing.join(' and ')} not installed)`)
}

describe('guide', () => {
  let sample: Awaited<ReturnType<typeof serveSample>>
  const examples = guideExamples(guide)

  before(async () => {
    sample = await serveSample(WRITTEN_FOR)
  })
  after(() => sample?.stop())

  it('has an example in curl, JavaScript and Python in each of its parts', () => {
    for (const part of PARTS) {
      const languages = examples.filter((example) => example.part === part).map(({ language }) => language)
      expect(languages, part).to.have.members(['sh', 'js', 'python'])
    }
    const withClient = examples.filter(usesClient)
    expect(withClient.map(({ part, language }) => [part, language])).to.deep.equal([
      ['Pagination', 'js'],
      ['Pagination', 'python'],
      ['Changes as they happen', 'js'],
      ['Changes as they happen', 'python'],
      ['Keep a copy with a client', 'js'],
      ['Keep a copy with a client', 'python'],
    ])
    const inBrowser = examples.filter(usesBrowser)
    expect(inBrowser.map(({ part }) => part)).to.deep.equal(['Suggest pages', 'Changes as they happen'])
    const others = examples.filter(({ part }) => !PARTS.includes(part))
    expect(others.filter((example) => !usesClient(example) && !usesBrowser(example))).to.deep.equal([])
  })

  for (const example of examples.filter(usesClient)) {
    itIn(
      example,
      `${example.part}: the ${example.language} example prints the documented output`,
      async () => {
        expect(await runExample(example, `${sample.origin}/api/v1`)).to.equal(example.prints)
      },
    )
  }

  for (const language of ['sh', 'js', 'python'] as const) {
    const all = examples.filter(
      (example) => example.language === language && !usesClient(example) && !usesBrowser(example),
    )
    itIn(all[0]!, `every other ${language} example prints the documented output`, async () => {
      const outputs = await runExamples(all, `${sample.origin}/api/v1`)
      const shown = (texts: string[]) => Object.fromEntries(all.map(({ part }, i) => [part, texts[i]]))
      expect(shown(outputs)).to.deep.equal(shown(all.map(({ prints }) => prints)))
    })
  }

  for (const language of ['js', 'python'] as const) {
    const example = examples.find((one) => one.part === 'Limits' && one.language === language)!
    itIn(example, `Limits: the ${language} example waits for Retry-After, then continues`, async () => {
      const calls: number[] = []
      const server = createServer((_, response) => {
        calls.push(performance.now())
        const refused = calls.length <= 2
        response.writeHead(refused ? (calls.length === 1 ? 429 : 503) : 200, { 'Retry-After': '1' })
        response.end(refused ? '{"error":{}}' : '{"title":"Matcha"}')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      try {
        const { port } = server.address() as AddressInfo
        expect(await runExample(example, `http://127.0.0.1:${port}`)).to.equal('Matcha')
      } finally {
        server.closeAllConnections()
        server.close()
      }
      expect(calls).to.have.length(3)
      expect(calls[1]! - calls[0]!).to.be.at.least(990)
      expect(calls[2]! - calls[1]!).to.be.at.least(990)
    })
  }
})
