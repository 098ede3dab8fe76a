import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import { fileNameOf } from '../clients/javascript/src/file-names.ts'
import { type FolderChanges, mirrorFolder } from '../clients/javascript/src/folder.ts'
import { type ChangesServer, startChangesServer } from './support/changes-server.ts'
import { failureOf } from './support/failures.ts'
import { FILE_NAMES, kill, pagesIn, startJavascriptMirror } from './support/mirror-process.ts'
import { rounds } from './support/rounds.ts'
import { itSurvivesKills } from './support/survives-kills.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

describe('mirrorFolder() of the JavaScript client', () => {
  const temporary = withTemporaryFolder()
  let number = 0
  let server: ChangesServer
  let folder: string
  beforeEach(async () => {
    server = await startChangesServer()
    folder = temporary.path(`mirror-${number++}`)
  })
  afterEach(() => server.close())

  const run = async (options: Partial<Parameters<typeof mirrorFolder>[0]> = {}) => {
    const batches: FolderChanges[] = []
    await mirrorFolder({
      base: server.api,
      folder,
      firstPause: 0.001,
      onBatch: (changes) => {
        batches.push(changes)
      },
      ...options,
    })
    return batches
  }
  it('writes a file for each page, changes those that changed, and removes those that are gone', async () => {
    server.put('tea', 'Steamed **leaves**')
    server.put('tea/green', 'a')
    server.put('чай: "№1"', 'b', 'ru')
    expect(await run()).to.deep.equal([
      {
        written: ['en/tea.md', 'en/tea/green.md', 'ru/чай%3A %22№1%22.md'],
        removed: [],
        isCurrent: true,
      },
    ])
    expect(readFileSync(`${folder}/en/tea.md`, 'utf8')).to.equal(`---
title: "tea"
path: "tea"
locale: "en"
ns: "main"
url: "https://wiki.example/tea"
revision: "11111111-1111-4111-8111-111111111111"
edited_at: "2024-05-01T12:00:00.000000Z"
author: "Ada"
---

Steamed **leaves**`)
    server.put('tea', 'new')
    server.remove('tea/green')
    expect(await run()).to.deep.equal([
      { written: ['en/tea.md'], removed: ['en/tea/green.md'], isCurrent: true },
    ])
    expect(await pagesIn(folder)).to.deep.equal(server.pages())
    expect(existsSync(`${folder}/en/tea`)).to.equal(false)
  })

  it('does not touch a file whose content stays', async () => {
    server.put('tea', 'same')
    await run()
    const before = statSync(`${folder}/en/tea.md`)
    server.put('tea', 'same')
    expect(await run()).to.have.length(1)
    expect(statSync(`${folder}/en/tea.md`)).to.include({ ino: before.ino, mtimeMs: before.mtimeMs })
  })

  it('hands over a batch again if its function did not return', async () => {
    server.put('tea', 'a')
    const stop = () => {
      throw new Error('stop')
    }
    expect(String(await failureOf(run({ onBatch: stop })))).to.equal('Error: stop')
    expect((await run()).flatMap(({ written }) => written)).to.deep.equal(['en/tea.md'])
  })

  it('begins again, and removes what is not in the wiki, when the service does not know the cursor', async () => {
    for (let i = 0; i < 30; i += 1) server.put(`page ${i}`, `${i}`)
    await run()
    // The restored database has never heard of these pages.
    for (let i = 0; i < 10; i += 1) server.remove(`page ${i}`)
    server.restore()
    await run({ limit: 7 })
    expect(server.pages()).to.have.length(20)
    expect(await pagesIn(folder)).to.deep.equal(server.pages())
  })

  it('removes files of pages that vanished before a first cursor was stored', async () => {
    server.put('tea', 'a')
    server.put('coffee', 'a')
    const stop = () => {
      throw new Error('stop')
    }
    await failureOf(run({ onBatch: stop }))
    expect(await pagesIn(folder)).to.have.length(2)
    server.remove('coffee')
    await run()
    expect(await pagesIn(folder)).to.deep.equal(server.pages())
  })

  it('fails, instead of starting without end, if the service knows none of its own cursors', async () => {
    for (let i = 0; i < 30; i += 1) server.put(`page ${i}`, '')
    const forget = () => server.restore()
    expect(String(await failureOf(run({ limit: 10, onBatch: forget })))).to.include('after: unknown cursor')
    expect(server.requests.length).to.be.below(10)
  })

  it('refuses a folder of something else', async () => {
    mkdirSync(folder)
    writeFileSync(`${folder}/letter.txt`, 'Dear Ada')
    expect(String(await failureOf(run()))).to.include('choose a new or empty folder')
    folder = temporary.path('of-english')
    await run({ locale: 'en' })
    expect(String(await failureOf(run({ locale: 'ru' })))).to.include('mirror of something else')
    expect(String(await failureOf(run({ extension: '../x' })))).to.include('extension')
  })

  it('refuses a folder that another process keeps, until that one was killed', async () => {
    server.put('tea', 'a')
    const child = startJavascriptMirror(server.api, folder)
    await new Promise((resolve) => child.stdout!.once('data', resolve))
    expect(String(await failureOf(run()))).to.include(`Process ${child.pid} keeps the folder`)
    await kill(child)
    await run()
    expect((await readdir(folder)).sort()).to.deep.equal(['.mirror.json', 'en'])
  })

  it('writes the content, includes and extension that it is asked for', async () => {
    server.put('tea', 'a')
    await run({ contentOf: ({ title }) => `title: ${title}`, extension: '.txt' })
    expect(readFileSync(`${folder}/en/tea.txt`, 'utf8')).to.equal('title: tea')
  })

  itSurvivesKills(startJavascriptMirror)
})

describe('names of files of a mirror', () => {
  const name = (path: string, locale = 'en', foldsCase = false) => fileNameOf(locale, path, '.md', foldsCase)

  it('are those of clients/file-names.json, which both clients compute', () => {
    for (const [locale, path, extension, foldsCase, file] of FILE_NAMES)
      expect(fileNameOf(locale, path, extension, foldsCase)).to.equal(file)
  })

  it('stay within the folder, and are allowed on Linux, macOS and Windows', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('..', '.', 'con', 'CONIN$', 'nul .x', 'a/../b', '/x', 'a\\b', '\ud800', '\0'),
    )
    fc.assert(
      fc.property(any, any, fc.boolean(), (path, locale, foldsCase) => {
        const segments = name(path, locale, foldsCase).split('/')
        for (const segment of segments) {
          expect(segment).not.to.match(
            /^\.|[. ]$|[\u0000-\u001f\u007f\\:*?"<>|]|^(con|conin\$|nul|com1) *(\.|$)/i,
          )
          expect(segment.isWellFormed()).to.equal(true)
          expect(Buffer.byteLength(segment)).to.be.within(1, 255)
        }
      }),
    )
    expect(Buffer.byteLength(name('ю/'.repeat(5000)))).to.be.below(1000)
  })

  it('differ for different pages, also where case does not count', () => {
    const segment = fc.constantFrom(
      ...'aAbß.%~ /',
      'tea',
      'Tea',
      'tea.md',
      'İ',
      'i',
      'ſ',
      's',
      '%2E',
      '\0',
      '\ud800',
      '\ud801',
      '\ufffd',
      'x'.repeat(300),
    )
    const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(path, path, fc.boolean(), (one, other, foldsCase) => {
        fc.pre(one !== other)
        const fold = (file: string) => (foldsCase ? file.toLowerCase().toUpperCase() : file).toWellFormed()
        expect(fold(name(one, 'en', foldsCase))).not.to.equal(fold(name(other, 'en', foldsCase)))
        // A file of one page is never a folder of another one.
        expect(name(one).startsWith(`${name(other)}/`)).to.equal(false)
      }),
      { numRuns: rounds(500) },
    )
  })
})
