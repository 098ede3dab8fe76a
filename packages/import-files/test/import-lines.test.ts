import { appendFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { openNdjsonSource } from '@lectern/import-files/ndjson/source'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import type { PageRecord } from '@lectern/wiki/records'
import { expect } from 'chai'
import {
  CATEGORY,
  ID_1,
  importFailure,
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
      const error = await importFailure(parseText(content, name))
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
  const wiki = (rest: object) => ({ ...WIKI, ...rest })
  const withRevision = (rest: object) => ({ ...PAGE, revisions: [REVISION, revision(rest)] })
  const absent = undefined
  const cases: [string, unknown, string][] = [
    ['an array', [], 'the line: must be an object'],
    ['a number', 7, 'the line: must be an object'],
    ['null', null, 'the line: must be an object'],
    ['no type', {}, 'type: must be "wiki", "category" or "page"'],
    ['an unknown type', { type: 'user' }, 'type: must be "wiki", "category" or "page"'],
    ['an unknown field', { ...PAGE, slug: 'x' }, 'the line: has an unknown field, slug'],
    [
      'an unknown field of an edit',
      withRevision({ email: 'ada@example.org' }),
      'revisions[1]: has an unknown field, email',
    ],
    ['a wiki without name', wiki({ name: absent }), 'name: is missing, must be a string'],
    ['a wiki without languages', wiki({ locales: [] }), 'locales: must not be empty'],
    [
      'a language named twice',
      wiki({ locales: [...WIKI.locales, { locale: 'EN', name: 'Again' }] }),
      'locales: must name each language once',
    ],
    [
      'a default language that is not among them',
      wiki({ default_locale: 'de' }),
      'default_locale: must be one of locales',
    ],
    ['a license that is not a URL', wiki({ license: 'CC BY' }), 'license: must be an http or https URL'],
    [
      'a license of another scheme',
      wiki({ license: 'javascript:x()' }),
      'license: must be an http or https URL',
    ],
    ['a category without key', { ...CATEGORY, key: absent }, 'key: is missing, must be a string'],
    ['an empty category key', { ...CATEGORY, key: '' }, 'key: must not be empty'],
    [
      'a malformed locale',
      { ...PAGE, locale: 'english!' },
      'locale: must be a locale code such as en or pt-br',
    ],
    ['a locale that is no text', { ...PAGE, locale: 1 }, 'locale: must be a string'],
    ['no path', { ...PAGE, path: absent }, 'path: is missing, must be a string'],
    ['an empty path', { ...PAGE, path: '' }, 'path: must not be empty'],
    [
      'a path of 513 bytes',
      { ...PAGE, path: `${'é'.repeat(256)}a` },
      'path: must be at most 512 bytes of UTF-8',
    ],
    ['a line feed in a path', { ...PAGE, path: 'a\nb' }, 'path: must be text without control characters'],
    [
      'a lone surrogate in a path',
      { ...PAGE, path: 'a\ud800' },
      'path: must be text without control characters',
    ],
    ['an unknown state', { ...PAGE, state: 'hidden' }, 'state: must be "live", "draft" or "deleted"'],
    [
      'a translation group that is no text',
      { ...PAGE, translation_group: null },
      'translation_group: must be a string',
    ],
    ['no revisions', { ...PAGE, revisions: absent }, 'revisions: is missing, must be an array'],
    ['a revision that is no object', { ...PAGE, revisions: ['x'] }, 'revisions[0]: must be an object'],
    ['an id that is no UUID', withRevision({ id: '17' }), 'revisions[1].id: must be a UUID'],
    [
      'an id without hyphens',
      withRevision({ id: ID_1.replaceAll('-', '') }),
      'revisions[1].id: must be a UUID',
    ],
    [
      'no time',
      withRevision({ created_at: absent }),
      'revisions[1].created_at: is missing, must be a string',
    ],
    ...[
      '2024-02-30T00:00:00Z',
      '2024-05-01',
      '2024-05-01T12:00:00',
      'now',
      '2024-05-01T24:00:00Z',
      '2024-05-01T12:00:00.1234567Z',
    ].map((created_at): [string, unknown, string] => [
      `the time ${created_at}`,
      withRevision({ created_at }),
      'revisions[1].created_at: must be an RFC 3339 date-time with at most six digits of a second',
    ]),
    [
      'an author who is an object',
      withRevision({ author: { name: 'Ada' } }),
      'revisions[1].author: must be a string',
    ],
    [
      'a name of 256 bytes',
      withRevision({ author: 'a'.repeat(256) }),
      'revisions[1].author: must be at most 255 bytes of UTF-8',
    ],
    [
      'a comment of 8193 bytes',
      withRevision({ comment: 'a'.repeat(8193) }),
      'revisions[1].comment: must be at most 8192 bytes of UTF-8',
    ],
    [
      'an unknown status',
      withRevision({ status: 'live' }),
      'revisions[1].status: must be "accepted", "pending", "rejected" or "draft"',
    ],
    ['no title', withRevision({ title: '' }), 'revisions[1].title: must not be empty'],
    [
      'U+0000 in the text',
      withRevision({ markdown: 'a\u0000b' }),
      'revisions[1].markdown: must be well-formed text without U+0000',
    ],
    [
      'a lone surrogate in the text',
      withRevision({ markdown: 'a\udc00' }),
      'revisions[1].markdown: must be well-formed text without U+0000',
    ],
    [
      'a category without key in an edit',
      withRevision({ categories: [{ key: 'a' }, {}] }),
      'revisions[1].categories[1].key: is missing, must be a string',
    ],
    [
      'a sort key of 1021 bytes',
      withRevision({ categories: [{ key: 'a', sort_key: 'b'.repeat(1021) }] }),
      'revisions[1].categories[0].sort_key: must be at most 1020 bytes of UTF-8',
    ],
    // The cursor of a category separates its parts by this character.
    ...['title', 'author', 'comment'].map((field): [string, object, string] => [
      `U+001F in the field ${field}`,
      withRevision({ [field]: 'a\u001fb' }),
      `revisions[1].${field}: must be text without control characters`,
    ]),
    [
      'U+001F in a sort key',
      withRevision({ categories: [{ key: 'a', sort_key: 'a\u001fb' }] }),
      'revisions[1].categories[0].sort_key: must be text without control characters',
    ],
  ]
  for (const [name, record, expected] of cases) {
    it(`names the line, the field and the expected value: ${name}`, async () => {
      const error = await importFailure(parseText(`${linesOfFile(WIKI)}\n${linesOfFile(record)}`))
      expect(error).to.be.instanceOf(ImportError)
      expect(error.message).to.equal(`Line 3: ${expected}`)
    })
  }

  it('reports invalid JSON without control characters', async () => {
    const error = await importFailure(parseText('{"type":\u202e\u001b[31mwiki}\n'))
    expect(error.message).to.match(/^Line 1: not JSON: /)
    expect(error.message).not.to.match(/[\p{Cc}\p{Cf}]/u)
  })

  it('refuses bytes that are not UTF-8, and names the line', async () => {
    const latin = Buffer.from(linesOfFile(WIKI, { ...PAGE, path: 'thé' }), 'latin1')
    expect((await importFailure(parseText(latin))).message).to.equal('Line 2: not UTF-8')
  })

  it('names the last line before the end of an incomplete .gz', async () => {
    const bytes = gzipSync(linesOfFile(WIKI, PAGE))
    const error = await importFailure(parseText(bytes.subarray(0, bytes.length - 12), 'wiki.ndjson.gz'))
    expect(error).to.be.instanceOf(ImportError)
    expect(error.message).to.match(/^Cannot read the file after line \d: .*gzip/)
  })

  it('reports a .gz that is not gzip', async () => {
    const error = await importFailure(parseText(linesOfFile(WIKI), 'wiki.ndjson.gz'))
    expect(error.message).to.match(/^Cannot read the file after line 0: .*gzip/)
  })

  it('reports a missing file, and a folder', async () => {
    const missing = await importFailure(openNdjsonSource('/nowhere/wiki.ndjson'))
    expect(missing).to.be.instanceOf(UsageError)
    expect(missing.message).to.equal('The file /nowhere/wiki.ndjson does not exist.')
    const folder = await importFailure(openNdjsonSource('/'))
    expect(folder).to.be.instanceOf(UsageError)
    expect(folder.message).to.include('/ is a folder')
  })
})

describe('import ndjson: a file larger than memory', () => {
  it('reads 160 MB of lines with a heap of 40 MB', async () => {
    const block = linesOfFile(
      ...Array.from({ length: 40 }, (_, i) =>
        page(`p${i}`, {
          revisions: [revision({ markdown: `${i} ${'Tea. '.repeat(20_000)}` })],
        }),
      ),
    )
    const member = gzipSync(block, { level: 1 })
    await withFile('wiki.ndjson.gz', '', async (file) => {
      for (let i = 0; i < 40; i++) await appendFile(file, member)
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
      expect(pages).to.equal(1600)
    })
  })
})
