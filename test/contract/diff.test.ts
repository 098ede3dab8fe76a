import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'
import { importRecords, type PageSpec, recordsOf } from '../support/world.ts'

const FIRST = testId(0xa1)
const SECOND = testId(0xa2)
const THIRD = testId(0xa3)
const PENDING = testId(0xa4)
const OTHER = testId(0xb1)
const DRAFT = testId(0xc1)
const DELETED = testId(0xc2)
const UNKNOWN = testId(0xff)

const numbers = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`)

const tea: PageSpec = {
  path: 'tea',
  revisions: [
    { id: FIRST, created_at: '2024-01-01T00:00:00Z', markdown: 'Tea is a plant.\nIt is green.\n' },
    { id: PENDING, created_at: '2024-01-02T00:00:00Z', status: 'pending', markdown: 'hidden' },
    { id: SECOND, created_at: '2024-01-03T00:00:00Z', markdown: 'Tea is a drink.\nIt is green.' },
    { id: THIRD, created_at: '2024-01-04T00:00:00Z', markdown: 'Tea is a drink.\nIt is green.' },
  ],
}
const pages: PageSpec[] = [
  tea,
  { path: 'чай', locale: 'ru', revisions: [{ id: OTHER, markdown: 'Tea is a plant.\n' }] },
  { path: 'draft', state: 'draft', revisions: [{ id: DRAFT }] },
  { path: 'deleted', state: 'deleted', revisions: [{ id: DELETED }] },
  {
    path: 'numbers',
    revisions: [
      { id: testId(0xd1), created_at: '2024-01-01T00:00:00Z', markdown: `${numbers.join('\n')}\n` },
      {
        id: testId(0xd2),
        created_at: '2024-01-02T00:00:00Z',
        markdown: `${numbers.map((line) => (line === 'line 5' ? 'line five' : line)).join('\n')}\nline 21\n`,
      },
    ],
  },
]

describe('GET /revisions/{id}/diff', () => {
  const test = withService()
  withWorld(test, { pages })

  it('compares with the accepted edit before, and highlights what changed within a line', async () => {
    const { status, body, headers } = await test.get(`/revisions/${SECOND}/diff`)
    expect(status).to.equal(200)
    expect(body).to.deep.equal({
      page: { path: 'tea', title: 'tea', locale: 'en', ns: 'main', url: 'https://en.wiki.example/tea' },
      from: FIRST,
      to: SECOND,
      added: 2,
      removed: 2,
      truncated: false,
      hunks: [
        {
          from: { line: 1, lines: 2 },
          to: { line: 1, lines: 2 },
          lines: [
            { kind: 'removed', text: 'Tea is a plant.', highlights: [[9, 14]] },
            { kind: 'removed', text: 'It is green.', highlights: [] },
            { kind: 'added', text: 'Tea is a drink.', highlights: [[9, 14]] },
            { kind: 'added', text: 'It is green.', highlights: [], newline: false },
          ],
        },
      ],
      license: 'https://license.example/',
    })
    expect(headers).to.include({ 'content-language': 'en', 'cache-control': 'public, max-age=60' })
    expect(headers.link).to.equal('<https://license.example/>; rel="license"')
  })

  it('the first edit of a page: all its lines are added, and from is null', async () => {
    const { body } = await test.get(`/revisions/${FIRST}/diff`)
    expect(body).to.include({ from: null, to: FIRST, added: 2, removed: 0 })
    expect(body.hunks).to.deep.equal([
      {
        from: { line: 1, lines: 0 },
        to: { line: 1, lines: 2 },
        lines: [
          { kind: 'added', text: 'Tea is a plant.', highlights: [] },
          { kind: 'added', text: 'It is green.', highlights: [] },
        ],
      },
    ])
  })

  it('hunks have three lines of context, and changes far from each other have hunks of their own', async () => {
    const { body } = await test.get(`/revisions/${testId(0xd2)}/diff`)
    expect(body).to.include({ added: 2, removed: 1 })
    const shown = body.hunks.map(
      ({ from, to, lines }: { from: object; to: object; lines: { kind: string; text: string }[] }) => ({
        from,
        to,
        lines: lines.map(({ kind, text }) => `${kind} ${text}`),
      }),
    )
    expect(shown).to.deep.equal([
      {
        from: { line: 2, lines: 7 },
        to: { line: 2, lines: 7 },
        lines: [
          'context line 2',
          'context line 3',
          'context line 4',
          'removed line 5',
          'added line five',
          'context line 6',
          'context line 7',
          'context line 8',
        ],
      },
      {
        from: { line: 18, lines: 3 },
        to: { line: 18, lines: 4 },
        lines: ['context line 18', 'context line 19', 'context line 20', 'added line 21'],
      },
    ])
  })

  it('from: any other edit, also a later one and one of another page; page is the page of {id}', async () => {
    const back = await test.get(`/revisions/${FIRST}/diff?from=${THIRD.toUpperCase()}`)
    expect(back.body).to.deep.include({ from: THIRD, to: FIRST, added: 2, removed: 2 })
    const other = await test.get(`/revisions/${FIRST}/diff?from=${OTHER}`)
    expect(other.body).to.deep.include({ from: OTHER, to: FIRST, added: 1, removed: 0 })
    expect(other.body.page.path).to.equal('tea')
  })

  it('equal texts have no hunks, and an empty patch', async () => {
    const { body } = await test.get(`/revisions/${THIRD}/diff`)
    expect(body).to.deep.include({ from: SECOND, added: 0, removed: 0, hunks: [] })
    const { status, text } = await test.get(`/revisions/${THIRD}/diff?from=${THIRD}&format=unified`)
    expect({ status, text }).to.deep.equal({ status: 200, text: '' })
  })

  it('format=unified: the text of a patch', async () => {
    const { text, headers } = await test.get(`/revisions/${SECOND}/diff?format=unified`)
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(headers.link).to.equal('<https://license.example/>; rel="license"')
    expect(text).to.equal(`--- a/tea.md\t2024-01-01 00:00:00.000000 +0000
+++ b/tea.md\t2024-01-03 00:00:00.000000 +0000
@@ -1,2 +1,2 @@
-Tea is a plant.
-It is green.
+Tea is a drink.
+It is green.
\\ No newline at end of file
`)
  })

  it('with from, the response is immutable; it has an ETag either way', async () => {
    const path = `/revisions/${SECOND}/diff?from=${FIRST}`
    const { headers } = await test.get(path)
    expect(headers['cache-control']).to.equal('public, max-age=86400, immutable')
    const again = await test.get(path, { headers: { 'If-None-Match': headers.etag! } })
    expect(again.status).to.equal(304)
    expect(again.headers['cache-control']).to.equal('public, max-age=86400, immutable')
    const patch = await test.get(`${path}&format=unified`)
    expect(patch.headers['cache-control']).to.equal('public, max-age=86400, immutable')
    const { etag } = (await test.get(`/revisions/${SECOND}/diff`)).headers
    const byDefault = await test.get(`/revisions/${SECOND}/diff`, { headers: { 'If-None-Match': etag! } })
    expect(byDefault.status).to.equal(304)
  })

  const notFound = async (path: string, message: string) => {
    const { status, body, headers } = await test.get(path)
    const invalid = message.startsWith('from: ') ? 'from' : undefined
    expect(headers['lectern-invalid-parameters'], path).to.equal(invalid)
    expect({ status, body }, path).to.deep.equal({
      status: 404,
      body: { error: { code: 'not_found', message } },
    })
  }

  it('404 names the edit that is hidden or does not exist, in the same words', async () => {
    for (const id of [PENDING, DRAFT, DELETED, UNKNOWN]) {
      await notFound(`/revisions/${id}/diff`, `There is no such revision: ${id}`)
      await notFound(`/revisions/${id}/diff?from=${FIRST}`, `There is no such revision: ${id}`)
      await notFound(`/revisions/${FIRST}/diff?from=${id}`, `from: there is no such revision: ${id}`)
      await notFound(
        `/revisions/${FIRST}/diff?from=${id}&format=unified`,
        `from: there is no such revision: ${id}`,
      )
    }
  })

  it('each request looks whether both edits are visible, also while other responses are cached', async () => {
    const path = `/revisions/${SECOND}/diff?from=${FIRST}`
    expect((await test.get(path)).status).to.equal(200)
    const [first, ...others] = tea.revisions!
    await importRecords(
      recordsOf({ pages: [{ ...tea, revisions: [{ ...first, status: 'rejected' }, ...others] }] }),
    )
    await notFound(path, `from: there is no such revision: ${FIRST}`)
    expect((await test.get(`/revisions/${SECOND}/diff`)).body).to.include({ from: null, added: 2 })
  })
})
