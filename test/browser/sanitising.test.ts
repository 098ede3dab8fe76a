import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'chai'
import { hostileTexts } from '../support/hostile-texts.ts'
import { LINK_CONTEXT } from '../support/link-context.ts'
import { renderHtml } from '../support/markdown.ts'
import { withBrowser } from './support/browser.ts'
import { families } from './support/payloads.ts'
import { type RenderedHtml, showHtml } from './support/reader.ts'

const BLNS: string[] = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('big-list-of-naughty-strings/blns.json'), 'utf8'),
)

/** Texts per document, and documents per page. */
const IN_ONE = 20
const AT_ONCE = 20

const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** The ways in which a text can contain a payload: alone, within HTML, and in a table. test/html.test.ts tries others. */
const sanitised = (payload: string): string =>
  [payload, `<div>${payload}</div>`, `| a |\n|---|\n| ${payload} |`]
    .map((markdown) => renderHtml(markdown, LINK_CONTEXT))
    .join('\n<hr>\n')

const isHarmless = ({ ran, fetched, relative }: RenderedHtml): boolean =>
  ran.length + fetched.length + relative.length === 0

describe('sanitized HTML in a browser, on a page without any policy: nothing runs, and no URL is relative', () => {
  const test = withBrowser()
  const ours = families()
  const payloads = ours.flatMap((one) => one.payloads)

  /** @param inOne how many texts a document has */
  const expectHarmless = async <Text>(
    texts: readonly Text[],
    toHtml: (text: Text) => string,
    inOne = IN_ONE,
  ): Promise<void> => {
    for (const documents of inParts(inParts(texts, inOne), AT_ONCE)) {
      const results = await showHtml(
        test,
        documents.map((part) => part.map(toHtml).join('\n<hr>\n')),
      )
      const wrong = results
        .map((one, i) => ({ ...one, texts: documents[i] }))
        .filter((one) => !isHarmless(one))
      expect(wrong).to.deep.equal([])
    }
  }

  it('payloads, one by one', () => expectHarmless(payloads, sanitised))

  it('big list of naughty strings', () => expectHarmless(BLNS, (text) => renderHtml(text, LINK_CONTEXT)))

  it('payloads in the constructs of dialects', () =>
    expectHarmless(hostileTexts(payloads, 1), ({ markdown, dialect }) =>
      renderHtml(markdown, { ...LINK_CONTEXT, dialect }),
    ))

  it('all payloads of a family in one text', () =>
    expectHarmless(
      ours.map((family) => family.payloads.join('\n\n')),
      sanitised,
      1,
    ))
})
