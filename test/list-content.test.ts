import { Unavailable } from '@lectern/wiki/errors'
import { expect } from 'chai'
import type { PrepareStoredQuery } from '../src/graphql.ts'
import { makeAddContent } from '../src/rest/list-content.ts'

type Read = (ids: string[]) => unknown[]

/** Adds texts to a list of items, where `read` returns what the database has of some revisions. */
const addTexts = async (count: number, read: Read, include = 'html', now?: () => number) => {
  const ids = Array.from({ length: count }, (_, i) => String(i))
  const steps: number[] = []
  const prepare = (() =>
    async ({ ids: wanted }: { ids: string[] }) => {
      steps.push(wanted.length)
      return { revisions: read(wanted) }
    }) as unknown as PrepareStoredQuery
  const body = { items: ids.map((id) => ({ id })), next: 'end' }
  const { json, next } = await makeAddContent(prepare, now)(
    body,
    { revisions: ids, nextAfter: (given) => `after ${given}` },
    include,
  )
  const written = JSON.parse(json.toString())
  expect(written.next).to.equal(next)
  return { items: written.items as object[], next, steps }
}

const text: Read = (ids) => ids.map((id) => ({ html: id }))

describe('content of lists', () => {
  it('is read in steps: eight texts at a time if they are rendered, all at once as Markdown', async () => {
    const { items, next, steps } = await addTexts(20, text)
    expect(items[19]).to.deep.equal({ id: '19', html: '19' })
    expect({ next, steps }).to.deep.equal({ next: 'end', steps: [8, 8, 4] })
    expect((await addTexts(200, text, 'markdown')).steps).to.deep.equal([200])
  })

  it('ends early after two seconds, with what is complete', async () => {
    let time = 0
    const slow: Read = (ids) => {
      time += 1_500
      return text(ids)
    }
    expect(await addTexts(40, slow, 'html', () => time)).to.deep.include({ next: 'after 16', steps: [8, 8] })
  })

  it('ends early when the renderer is busy, and throws if nothing is complete yet', async () => {
    let steps = 0
    const busyAfter =
      (count: number): Read =>
      (ids) => {
        if (steps++ === count) throw new Unavailable('busy')
        return text(ids)
      }
    expect((await addTexts(40, busyAfter(2))).next).to.equal('after 16')
    steps = 0
    const error = await addTexts(40, busyAfter(0)).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(Unavailable)
  })

  it('is never incomplete: a revision that was withdrawn meanwhile ends the list before it', async () => {
    const without =
      (withdrawn: string): Read =>
      (ids) =>
        ids.map((id) => (id === withdrawn ? null : { html: id }))
    expect(await addTexts(40, without('11'))).to.deep.include({ next: 'after 11' })
    expect(await addTexts(40, without('0')).catch((thrown: unknown) => thrown)).to.be.instanceOf(Unavailable)
  })
})
