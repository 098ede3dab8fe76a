import { expect } from 'chai'
import { startChangesServer } from './changes-server.ts'
import { kill, pagesIn, type StartMirror } from './mirror-process.ts'
import { randomNumbers } from './random-repository.ts'
import { withTemporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

/** Times at which the process is killed. */
const KILLS = 8
const CHANGES = 1000

/** A test of a process that mirrors into a folder. The seed is in its title. */
export const itSurvivesKills = (start: StartMirror, seed = Date.now() % 100_000): void => {
  const temporary = withTemporaryFolder()
  it(`is true after 1,000 random changes, 8 SIGKILLs and many disturbances (seed ${seed})`, async () => {
    const pick = randomNumbers(seed)
    const server = await startChangesServer()
    server.retryAfter = '0'
    const folder = temporary.path('killed')
    const pathOf = (page: number) => ['page', 'folder/page', 'folder/deep/page'][page % 3]! + page
    let changes = 0
    const change = () => {
      const locale = pick(4) === 0 ? 'ru' : 'en'
      if (pick(3) === 0) server.remove(pathOf(pick(120)), locale)
      else server.put(pathOf(pick(120)), `${'text '.repeat(pick(2000))}end of ${changes}`, locale)
      changes += 1
    }
    try {
      for (let i = 0; i < KILLS; i += 1) {
        const last = server.requests.length + 1 + pick(8)
        const delay = pick(12)
        const isDue = new Promise<void>((resolve) => {
          server.onRequest = () => {
            for (let many = pick(20); many > 0 && changes < CHANGES; many -= 1) change()
            if (pick(6) === 0) server.disturb((['reset', 'half', 'busy'] as const)[pick(3)]!)
            if (server.requests.length >= last) setTimeout(resolve, delay)
          }
        })
        const child = start(server.api, folder)
        await isDue
        await kill(child)
        for (const [page, text] of await pagesIn(folder)) expect(text, page).to.match(/end of \d+$/)
      }
      delete server.onRequest
      while (changes < CHANGES) change()
      const child = start(server.api, folder)
      await until('the mirror is the wiki', async () => {
        expect(await pagesIn(folder)).to.deep.equal(server.pages())
        return true
      })
      await kill(child)
    } finally {
      await server.close()
    }
  })
}
