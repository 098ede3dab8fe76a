import { appendFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import type { PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import { failureOf } from '../../../test/support/failures.ts'
import {
  CATEGORY,
  ID_1,
  linesOfFile,
  PAGE,
  page,
  parseText,
  REVISION,
  revision,
  WIKI,
  withFile,
} from '../../../test/support/importing.ts'

describe('import ndjson: lines', () => {
  it('reads every type of record, and adds defaults', async () => {
    const bare = { ...REVISION, comment: undefined, categories: undefined }
    const records = await parseText(linesOfFile(WIKI, CATEGORY, { ...PAGE, revisions: [bare] }))
    expect(records.map(({ type }) => type)).to.deep.equal(['wiki', 'category', 'page'])
    expect((records[2] as PageRecord).revisions[0]).to.include({ comment: '' })
    expect((records[2] as PageRecord).revisions[0]!.categories).to.deep.equal([])
  })

  const asOne = linesOfFile(WIKI, CATEGORY, PAGE)
  const ways: [string, string | Uint8Array][] = [
    ['a byte order mark', `\ufeff${asOne}`],
    ['CRLF', asOne.replaceAll('\n', '\r\n')],
    ['blank lines', `\n  \n${asOne.replaceAll('\n', '\n\n\t\r\n')}`],
    ['no end of the last line', asOne.trimEnd()],
  ]
  for (const [name, text] of ways) {
    it(`reads a file with ${name}`, async () => {
      expect(await parseText(text)).to.deep.equal(await parseText(asOne))
    })
  }

  for (const [what, content, name] of [
    ['without a byte', '', 'wiki.ndjson'],
    ['of blank lines', '\ufeff\n \t\r\n\n', 'wiki.ndjson'],
    ['of an empty text, compressed', gzipSync(''), 'wiki.ndjson.gz'],
  ] as const)
    it(`refuses a file ${what}: what wrote it has failed`, async () => {
      const error = await failureOf(parseText(content, name))
      expect(error).to.be.instanceOf(ImportError)
      expect(error.message).to.match(/wiki\.ndjson(\.gz)? is empty: .* Nothing was changed/)
    })

  it('splits lines at LF only: U+2028, U+2029 and U+0085 stay in strings', async () => {
    const markdown = 'one\u2028two\u2029three\u0085four\rfive'
    const [found] = await parseText(
      linesOfFile({ ...PAGE, revisions: [{ ...REVISION, markdown }] }).replace('\\r', '\\r'),
    )
    expect((found as PageRecord).revisions[0]!.markdown).to.equal(markdown)
  })

  it('joins lines and characters that are split across chunks', async () => {
    const markdown = '茶🍵'.repeat(700_000)
    const records = await parseText(
      linesOfFile({ ...PAGE, revisions: [{ ...REVISION, markdown }] }, CATEGORY),
    )
    expect((records[0] as PageRecord).revisions[0]!.markdown).to.equal(markdown)
    expect(records[1]).to.deep.equal(CATEGORY)
  })

  it('reads .ndjson.gz with one or several members', async () => {
    const [first, second] = [linesOfFile(WIKI, CATEGORY), linesOfFile(PAGE)]
    const bytes = Buffer.concat([gzipSync(first), gzipSync(second)])
    expect(await parseText(bytes, 'wiki.ndjson.gz')).to.deep.equal(await parseText(first + second))
  })

  it('recognizes gzip under any file name', async () => {
    expect(await parseText(gzipSync(linesOfFile(WIKI, PAGE)), 'wiki')).to.deep.equal(
      await parseText(linesOfFile(WIKI, PAGE)),
    )
  })

  it('normalizes: locales and ids to lower case, names to NFC, times to UTC with microseconds', async () => {
    const [found] = await parseText(
      linesOfFile({
        ...PAGE,
        locale: 'PT-BR',
        path: 'cafe\u0301',
        revisions: [revision({ id: ID_1.replaceAll('1', 'A'), created_at: '2024-05-01t14:34:56+02:00' })],
      }),
    )
    expect(found).to.include({ locale: 'pt-br', path: 'café' })
    expect((found as PageRecord).revisions[0]).to.include({
      id: ID_1.replaceAll('1', 'a'),
      created_at: '2024-05-01T12:34:56.000000Z',
    })
  })

  it('does not change the text of a page', async () => {
    const markdown = ' cafe\u0301 \u0001\u200e\ufeff\r\n\t'
    const [found] = await parseText(linesOfFile({ ...PAGE, revisions: [revision({ markdown })] }))
    expect((found as PageRecord).revisions[0]!.markdown).to.equal(markdown)
  })
})

describe('import ndjson: an invalid line', () => {
  const absent = undefined
  const tests: [of: 'wiki' | 'category' | 'page' | 'edit', expected: string, what: string, fields: object][] =
    [
      ['page', 'the line: has an unknown field, slug', 'an unknown field', { slug: 'x' }],
      ['edit', ': has an unknown field, email', 'an unknown field of an edit', { email: 'ada@example.org' }],
      ['wiki', 'name: is missing, must be a string', 'a wiki without name', { name: absent }],
      ['wiki', 'locales: must not be empty', 'a wiki without languages', { locales: [] }],
      [
        ...(['wiki', 'locales: must name each language once', 'a language named twice'] as const),
        { locales: [...WIKI.locales, { locale: 'EN', name: 'Again' }] },
      ],
      ['wiki', 'default_locale: must be one of locales', 'an unknown default', { default_locale: 'de' }],
      ['wiki', 'license: must be an http or https URL', 'a license that is no URL', { license: 'CC BY' }],
      ['wiki', 'license: must be an http or https URL', 'another scheme', { license: 'javascript:x()' }],
      ['category', 'key: is missing, must be a string', 'a category without key', { key: absent }],
      ['category', 'key: must not be empty', 'an empty category key', { key: '' }],
      ['page', 'locale: must be a locale code such as en or pt-br', 'a bad locale', { locale: 'english!' }],
      ['page', 'locale: must be a string', 'a locale that is no text', { locale: 1 }],
      ['page', 'path: is missing, must be a string', 'no path', { path: absent }],
      ['page', 'path: must not be empty', 'an empty path', { path: '' }],
      ['page', 'path: must be at most 512 bytes of UTF-8', '513 bytes', { path: `${'é'.repeat(256)}a` }],
      ['page', 'path: must be text without control characters', 'a line feed', { path: 'a\nb' }],
      ['page', 'path: must be text without control characters', 'a lone surrogate', { path: 'a\ud800' }],
      ['page', 'state: must be "live", "draft" or "deleted"', 'an unknown state', { state: 'hidden' }],
      ['page', 'translation_group: must be a string', 'a group that is no text', { translation_group: null }],
      ['page', 'revisions: is missing, must be an array', 'no revisions', { revisions: absent }],
      ['page', 'revisions[0]: must be an object', 'a revision that is no object', { revisions: ['x'] }],
      ['edit', '.id: must be a UUID', 'an id that is no UUID', { id: '17' }],
      ['edit', '.id: must be a UUID', 'an id without hyphens', { id: ID_1.replaceAll('-', '') }],
      ['edit', '.created_at: is missing, must be a string', 'no time', { created_at: absent }],
      ['edit', '.author: must be a string', 'an author who is an object', { author: { name: 'Ada' } }],
      ['edit', '.author: must be at most 255 bytes of UTF-8', '256 bytes', { author: 'a'.repeat(256) }],
      ['edit', '.comment: must be at most 8192 bytes of UTF-8', '8193 bytes', { comment: 'a'.repeat(8193) }],
      [
        ...(['edit', '.status: must be "accepted", "pending", "rejected" or "draft"', 'a status'] as const),
        { status: 'live' },
      ],
      ['edit', '.title: must not be empty', 'no title', { title: '' }],
      ['edit', '.markdown: must be well-formed text without U+0000', 'U+0000', { markdown: 'a\u0000b' }],
      ['edit', '.markdown: must be well-formed text without U+0000', 'a surrogate', { markdown: 'a\udc00' }],
      [
        ...(['edit', '.markdown: must be at most 8388608 bytes of UTF-8', '8 MiB and a byte'] as const),
        { markdown: `${'é'.repeat(4 * 1024 ** 2)}a` },
      ],
      [
        ...(['edit', '.categories: must be at most 500', '501 categories'] as const),
        { categories: Array.from({ length: 501 }, (_, i) => ({ key: `c${i}` })) },
      ],
      [
        ...(['edit', '.categories[1].key: is missing, must be a string', 'a category without key'] as const),
        { categories: [{ key: 'a' }, {}] },
      ],
      [
        ...(['edit', '.categories[0].sort_key: must be at most 1020 bytes of UTF-8', '1021 bytes'] as const),
        { categories: [{ key: 'a', sort_key: 'b'.repeat(1021) }] },
      ],
      // The cursor of a category separates its parts by this character.
      [
        ...(['edit', '.categories[0].sort_key: must be text without control characters', 'U+001F'] as const),
        { categories: [{ key: 'a', sort_key: 'a\u001fb' }] },
      ],
    ]
  for (const field of ['title', 'author', 'comment'])
    tests.push([
      ...(['edit', `.${field}: must be text without control characters`, 'U+001F'] as const),
      { [field]: 'a\u001fb' },
    ])
  for (const time of '2024-02-30T00:00:00Z 2024-05-01 2024-05-01T12:00:00 now 2024-05-01T24:00:00Z 2024-05-01T12:00:00.1234567Z'.split(
    ' ',
  ))
    tests.push([
      'edit',
      '.created_at: must be an RFC 3339 date-time with at most six digits of a second',
      time,
      { created_at: time },
    ])
  const records = { wiki: WIKI, category: CATEGORY, page: PAGE }
  const cases: [what: string, record: unknown, expected: string][] = [
    ['an array', [], 'the line: must be an object'],
    ['a number', 7, 'the line: must be an object'],
    ['null', null, 'the line: must be an object'],
    ['no type', {}, 'type: must be "wiki", "category", "page" or "file"'],
    ['an unknown type', { type: 'user' }, 'type: must be "wiki", "category", "page" or "file"'],
    ...tests.map(([of, expected, what, fields]): [string, unknown, string] =>
      of === 'edit'
        ? [what, { ...PAGE, revisions: [REVISION, revision(fields)] }, `revisions[1]${expected}`]
        : [what, { ...records[of], ...fields }, expected],
    ),
  ]
  for (const [name, record, expected] of cases) {
    it(`names the line, the field and the expected value: ${name}, ${expected}`, async () => {
      const error = await failureOf(parseText(`${linesOfFile(WIKI)}\n${linesOfFile(record)}`))
      expect(error).to.be.instanceOf(ImportError)
      expect(error.message).to.equal(`Line 3: ${expected}`)
    })
  }

  it('reports invalid JSON without control characters', async () => {
    const error = await failureOf(parseText('{"type":\u202e\u001b[31mwiki}\n'))
    expect(error.message).to.match(/^Line 1: not JSON: /)
    expect(error.message).not.to.match(/[\p{Cc}\p{Cf}]/u)
  })

  it('refuses bytes that are not UTF-8, and names the line', async () => {
    const latin = Buffer.from(linesOfFile(WIKI, { ...PAGE, path: 'thé' }), 'latin1')
    expect((await failureOf(parseText(latin))).message).to.equal('Line 2: not UTF-8')
  })

  it('names the last line before the end of an incomplete .gz', async () => {
    const bytes = gzipSync(linesOfFile(WIKI, PAGE))
    const error = await failureOf(parseText(bytes.subarray(0, bytes.length - 12), 'wiki.ndjson.gz'))
    expect(error).to.be.instanceOf(ImportError)
    expect(error.message).to.match(/^Cannot read the file after line \d: .*gzip/)
  })

  it('reports a .gz that is not gzip', async () => {
    const error = await failureOf(parseText(linesOfFile(WIKI), 'wiki.ndjson.gz'))
    expect(error.message).to.match(/^Cannot read the file after line 0: .*gzip/)
  })

  it('reports a missing file, and a folder', async () => {
    const missing = await failureOf(openNdjsonSource('/nowhere/wiki.ndjson'))
    expect(missing).to.be.instanceOf(UsageError)
    expect(missing.message).to.equal('The file /nowhere/wiki.ndjson does not exist.')
    const folder = await failureOf(openNdjsonSource('/'))
    expect(folder).to.be.instanceOf(UsageError)
    expect(folder.message).to.include('/ is a folder')
  })
})

describe('import ndjson: a file larger than memory', () => {
  it('reads 80 MB of lines with a heap of 40 MB', async () => {
    const block = linesOfFile(
      ...Array.from({ length: 40 }, (_, i) =>
        page(`p${i}`, {
          revisions: [revision({ markdown: `${i} ${'Tea. '.repeat(20_000)}` })],
        }),
      ),
    )
    const member = gzipSync(block, { level: 1 })
    await withFile('wiki.ndjson.gz', '', async (file) => {
      for (let i = 0; i < 20; i++) await appendFile(file, member)
      const source = new URL(import.meta.resolve('@lectern/import-files/ndjson/source')).href
      const worker = new Worker(
        `import(${JSON.stringify(source)}).then(async ({ openNdjsonSource }) => {
          let pages = 0
          for await (const record of (await openNdjsonSource(${JSON.stringify(file)})).records) pages += record.revisions.length
          require('node:worker_threads').parentPort.postMessage(pages)
        })`,
        { eval: true, resourceLimits: { maxOldGenerationSizeMb: 40 } },
      )
      const pages = await new Promise((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
      })
      await worker.terminate()
      expect(pages).to.equal(800)
    })
  })
})
