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
const IN_ONE = 5
const AT_ONCE = 20

const inParts = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** The ways in which a text can contain a payload: alone, within HTML, in a list, and in a table. */
const sanitised = (payload: string): string =>
  [payload, `<div>${payload}</div>`, `- a\n- ${payload}`, `| a |\n|---|\n| ${payload} |`]
    .map((markdown) => renderHtml(markdown, LINK_CONTEXT))
    .join('\n<hr>\n')

const isHarmless = ({ ran, fetched, relative }: RenderedHtml): boolean =>
  ran.length + fetched.length + relative.length === 0

describe('sanitized HTML in a browser, on a page without any policy', () => {
  const test = withBrowser()
  const ours = families()

  const show = async (pieces: readonly string[]): Promise<RenderedHtml[]> => {
    const results: RenderedHtml[] = []
    for (const part of inParts(pieces, AT_ONCE)) results.push(...(await showHtml(test, part)))
    return results
  }

  const expectHarmless = async (payloads: readonly string[], inOne = IN_ONE): Promise<void> => {
    const parts = inParts(payloads, inOne)
    const results = await show(parts.map((part) => part.map(sanitised).join('\n')))
    const wrong = results.map((one, i) => ({ ...one, payloads: parts[i] })).filter((one) => !isHarmless(one))
    expect(wrong).to.deep.equal([])
  }

  for (const { title, payloads } of ours) {
    it(`${title}: nothing runs, and no URL is relative`, () => expectHarmless(payloads))
  }

  it('big list of naughty strings: nothing runs, and no URL is relative', () => expectHarmless(BLNS, 20))

  it('in the constructs of dialects: nothing runs, and no URL is relative', async () => {
    const parts = inParts(
      hostileTexts(
        ours.flatMap(({ payloads }) => payloads),
        1,
      ),
      IN_ONE,
    )
    const results = await show(
      parts.map((part) =>
        part
          .map(({ markdown, dialect }) => renderHtml(markdown, { ...LINK_CONTEXT, dialect }))
          .join('\n<hr>\n'),
      ),
    )
    const wrong = results.map((one, i) => ({ ...one, texts: parts[i] })).filter((one) => !isHarmless(one))
    expect(wrong).to.deep.equal([])
  })

  it('all payloads of a family in one text: nothing runs, and no URL is relative', () =>
    expectHarmless(ours.map(({ payloads }) => payloads.join('\n\n'))))
})
