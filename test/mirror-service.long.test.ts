import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { fileInFolder } from '../clients/javascript/src/file-names.ts'
import { mirror } from '../clients/javascript/src/index.ts'
import { importFiles, png, sha256 } from './support/files.ts'
import { filesIn, kill, pagesIn, startJavascriptMirror } from './support/mirror-process.ts'
import { randomNumbers } from './support/random-repository.ts'
import { rounds } from './support/rounds.ts'
import { withService } from './support/service.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import { until } from './support/until.ts'
import { makeWorld, type PageSpec } from './support/world.ts'

const LOCALES = ['en', 'ru', 'ja']
const NAMESPACES = ['main', 'template', 'page_template', 'module']
const IMPORTS = rounds(5)
const CHANGES_PER_IMPORT = 80
const PICTURES = 12

describe('a mirror of a service', () => {
  const seed = Date.now() % 100_000
  const test = withService({ cacheSeconds: 0, baseUrl: undefined, wikiAddresses: {} })
  const temporary = withTemporaryFolder()

  /** `locale path` and the Markdown of all pages, as guests find them. */
  const pagesOfGuests = async () => {
    const pages = new Map<string, string>()
    for (const locale of LOCALES)
      for (const ns of NAMESPACES) {
        const list = `/pages?locale=${locale}&ns=${ns}&include=markdown`
        for (const { path, markdown } of await test.walk(list, 'after', 200))
          pages.set(`${locale} ${path}`, markdown)
      }
    return pages
  }

  /** The names that the files of guests have in a mirror. */
  const filesOfGuests = async () => {
    const files = await test.walk('/files', 'after', 200)
    return [...new Set(files.map(({ sha256, path }) => fileInFolder(sha256, path, false)))].sort()
  }

  /** Whatever a killed process left: a file with its name is whole. */
  const expectWholeFiles = (folder: string) => {
    for (const name of filesIn(folder).filter((one) => one.endsWith('.png')))
      expect(name).to.include(sha256(readFileSync(join(folder, name))))
  }

  it('learns of a change at once, however seldom it looks', async () => {
    await makeWorld({ pages: [{ path: 'tea' }] })
    test.service.invalidate()
    const stop = new AbortController()
    const base = `${test.service.listeningUrl}/api/v1`
    const batches = mirror({ base, poll: 3600, signal: stop.signal })
    const paths = async () => (await batches.next()).value!.items.map(({ path }) => path)
    expect(await paths()).to.deep.equal(['tea'])
    const next = paths()
    await importFiles({ pages: [{ path: 'mate' }] }, [], { covers: 'some' })
    test.service.invalidate()
    expect(await next).to.deep.equal(['mate'])
    const ended = batches.next().catch((error: Error) => error.name)
    stop.abort()
    expect(await ended).to.equal('AbortError')
  })

  it(`is what guests see after ${IMPORTS * CHANGES_PER_IMPORT} random changes by imports, and SIGKILLs (seed ${seed})`, async () => {
    const random = randomNumbers(seed)
    const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!
    const versions = Array.from({ length: PICTURES }, () => 0)
    let changes = 0
    const randomChange = (): PageSpec => {
      const n = random(60)
      const prefix = pick(['', '', 'folder/', 'template:', 'Module:', 'чай?/'])
      const page = { path: `${prefix}${n}`, locale: pick(LOCALES) }
      if (random(10) < 3) return { ...page, state: pick(['deleted', 'draft']), revisions: [] }
      const second = String(changes++).padStart(4, '0')
      const created_at = `2024-01-01T00:00:00.${second}00Z`
      const status = pick(['accepted', 'accepted', 'accepted', 'pending'] as const)
      const picture = random(3) === 0 ? `\n\n![](/${random(PICTURES)}.png)` : ''
      const markdown = `Text ${second} `.repeat(1 + random(300)).trim() + picture
      return { ...page, revisions: [{ created_at, status, title: `Title ${second}`, markdown }] }
    }
    const importSome = () => {
      const pages = new Map<string, PageSpec>()
      for (let i = 0; i < CHANGES_PER_IMPORT; i += 1) {
        const page = randomChange()
        pages.set(`${page.locale} ${page.path}`, page)
      }
      versions[random(PICTURES)]! += 1
      return importFiles(
        { locales: LOCALES, pages: [...pages.values()] },
        versions.map((version, i) => ({ path: `${i}.png`, data: png(300 + i, 200, version) })),
        { covers: 'some' },
      )
    }

    await makeWorld({ locales: LOCALES, pages: [] })
    const folder = temporary.path('mirror')
    const start = () => startJavascriptMirror(`${test.service.listeningUrl}/api/v1`, folder, 'files')
    let child = start()
    for (let i = 0; i < IMPORTS; i += 1) {
      await importSome()
      if (i > 0 && random(10) < 6) continue
      await kill(child)
      expectWholeFiles(folder)
      child = start()
    }
    const [expected, files] = [await pagesOfGuests(), await filesOfGuests()]
    expect(expected.size).to.be.above(100)
    expect(files.length).to.be.above(PICTURES / 2)
    try {
      await until('the mirror has what guests see', async () => {
        expect(await pagesIn(folder)).to.deep.equal(expected)
        expect(filesIn(folder)).to.deep.equal(files)
        return true
      })
    } finally {
      await kill(child)
    }
  })
})
