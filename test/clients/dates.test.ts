import { expect } from 'chai'
import { testId } from '../support/ids.ts'
import { withService, withWorld } from '../support/service.ts'
import { runProgram } from './support/program.ts'

/** Whole milliseconds, so that JavaScript's Date can hold them. */
const AT_ONCE = '2024-05-01T12:34:56.123000Z'
const FINER = '2020-01-01T00:00:00.123456Z'

/** Go fetches nothing: the walk has the standard library alone. */
const OFFLINE = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', GO111MODULE: 'on' }

describe('a client that holds next as its language’s date', () => {
  const test = withService({ cacheSeconds: 0 })
  withWorld(test, {
    pages: [
      ...Array.from({ length: 302 }, (_, number) => ({
        path: `page-${number}`,
        revisions: [
          {
            id: testId(1000 + number),
            created_at:
              number === 0
                ? '2024-05-01T12:34:56.000000Z'
                : number === 301
                  ? '2024-05-01T12:34:56.999000Z'
                  : AT_ONCE,
          },
        ],
      })),
      {
        path: 'tea',
        revisions: Array.from({ length: 40 }, (_, number) => ({ id: testId(number), created_at: FINER })),
      },
    ],
  })
  const recent = Array.from({ length: 302 }, (_, number) => testId(1301 - number))
  const history = Array.from({ length: 40 }, (_, number) => testId(39 - number))
  const address = (path: string) => `${test.service.listeningUrl}/api/v1${path}`
  const lines = (text: string) => text.split('\n').slice(0, -1)

  describe('Python, whose datetime keeps microseconds,', () => {
    const walk = async (path: string, limit: number) =>
      lines(await runProgram('python', 'python3', ['walk.py', address(path), String(limit)]))

    it('walks 302 edits of one second, and 40 of one microsecond', async () => {
      for (const limit of [50, 7]) {
        expect(await walk('/recent', limit)).to.deep.equal([...recent, ...history])
        expect(await walk('/pages/tea/history', limit)).to.deep.equal(history)
      }
    })

    it('has types that mypy finds nothing wrong with, strictly', async () => {
      expect(await runProgram('python', 'mypy', ['--strict', '--cache-dir=/dev/null', 'walk.py'])).to.include(
        'no issues found',
      )
    })
  })

  describe('Go, whose time.Time keeps nanoseconds,', () => {
    const walk = async (path: string, limit: number) =>
      lines(await runProgram('go', 'go', ['run', '.', address(path), String(limit)], OFFLINE))

    it('walks 302 edits of one second, and 40 of one microsecond', async () => {
      for (const limit of [50, 7]) {
        expect(await walk('/recent', limit)).to.deep.equal([...recent, ...history])
        expect(await walk('/pages/tea/history', limit)).to.deep.equal(history)
      }
    })

    it('has nothing that vet finds wrong', async () => {
      await runProgram('go', 'go', ['vet', '.'], OFFLINE)
    })
  })

  it('JavaScript, whose Date keeps milliseconds, walks 302 edits of one second of whole milliseconds', async () => {
    const found: string[] = []
    let before: Date | undefined
    do {
      const query = new URLSearchParams({ limit: '50', ...(before && { before: before.toISOString() }) })
      const answer = await fetch(address(`/recent?${query}`))
      const part = (await answer.json()) as { items: { id: string }[]; next: string }
      found.push(...part.items.map(({ id }) => id))
      before = part.next === '' ? undefined : new Date(part.next)
    } while (before && found.length < 302)
    expect(found.slice(0, 302)).to.deep.equal(recent)
  })

  it('that lacks its program is told which, and what brings it', async () => {
    const error = await runProgram('go', 'no-such-go', []).catch((error: Error) => error)
    expect(String(error)).to.include('no-such-go').and.include('install')
  })
})
