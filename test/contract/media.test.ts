import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { expect } from 'chai'
import { type FileSpec, importFiles, makeWorldWithFiles, png, sha256 } from '../support/files.ts'
import { withService } from '../support/service.ts'
import type { WorldSpec } from '../support/world.ts'

const cup = png(40, 30)
/** Three parts, the last one short. Each byte tells where it is. */
const large = Buffer.from(Array.from({ length: 600 * 1024 }, (_, i) => (i >> 8) ^ (i & 255)))
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"><script>alert(1)</script></svg>'
const page = '<html><script>alert(1)</script></html>'

const files: FileSpec[] = [
  { path: 'images/cup.png', data: cup },
  { path: 'tea [big] 100%.zip', data: large },
  { path: 'leaf.svg', data: svg },
  { path: 'manual.pdf', data: '%PDF-1.7 tea' },
  { path: 'page.png', data: page },
  { path: 'empty.csv', data: '' },
  { path: 'notes.csv', data: 'чай\n' },
  { path: 'secret.png', data: png(9, 9) },
]
const world = (state: 'live' | 'draft' = 'live'): WorldSpec => ({
  pages: [
    {
      ...{ path: 'tea', state },
      revisions: [
        {
          markdown:
            '![](images/cup.png) [](<tea [big] 100%25.zip>) ![](leaf.svg) [](manual.pdf) ![](page.png) [](empty.csv) [](notes.csv)',
        },
      ],
    },
    { path: 'draft', state: 'draft', revisions: [{ markdown: '![](secret.png)' }] },
    { path: 'other', revisions: [{ markdown: 'Text.' }] },
  ],
})

interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

describe('GET /media/{sha256}/{name}', () => {
  const test = withService({ mediaCacheSeconds: 3_600 })
  const agent = new Agent({ keepAlive: true })
  before(async () => {
    await makeWorldWithFiles(world(), files)
    test.service.invalidate()
  })
  after(() => agent.destroy())

  const send = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Received> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(test.service.listeningUrl)
      request({ agent, hostname, port, path, method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
        )
      })
        .on('error', reject)
        .end()
    })
  const path = (data: Buffer | string, name: string) => `/media/${sha256(data)}/${name}`
  const CUP = path(cup, 'cup.png')
  const LARGE = path(large, 'tea%20%5Bbig%5D%20100%25.zip')

  it('200: the bytes, with headers that let other sites show them and run nothing', async () => {
    for (const _ of ['read', 'stored']) {
      const { status, headers, bytes } = await send(CUP)
      expect(status).to.equal(200)
      expect(bytes.equals(cup)).to.equal(true)
      expect(headers).to.deep.include({
        'content-type': 'image/png',
        'content-length': String(cup.length),
        etag: `"${sha256(cup)}"`,
        'cache-control': 'public, max-age=3600',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
      })
      expect(headers['content-security-policy']).to.match(/^sandbox; default-src 'none'/)
      expect(headers).not.to.have.any.keys('content-disposition', 'content-encoding')
    }
  })

  it('decides the type by the content, and saves what is no picture, sound, film or PDF', async () => {
    const expected: [string, string, string | undefined][] = [
      [path(svg, 'leaf.svg'), 'image/svg+xml', undefined],
      [path('%PDF-1.7 tea', 'manual.pdf'), 'application/pdf', undefined],
      [path(page, 'page.png'), 'text/plain; charset=utf-8', 'attachment'],
      [path('чай\n', 'notes.csv'), 'text/csv; charset=utf-8', 'attachment'],
      [LARGE, 'application/octet-stream', 'attachment'],
    ]
    for (const [url, type, disposition] of expected) {
      const { headers } = await send(url)
      expect(headers['content-type'], url).to.equal(type)
      expect(headers['content-disposition'], url).to.equal(disposition)
    }
  })

  it('sends a file of several parts whole, also to HEAD without its bytes, and to a second name', async () => {
    expect((await send(LARGE)).bytes.equals(large)).to.equal(true)
    const head = await send(LARGE, { Range: 'bytes=0-1' }, 'HEAD')
    expect(head.status).to.equal(200)
    expect(head.headers['content-length']).to.equal(String(large.length))
    expect(head.bytes).to.have.length(0)
  })

  it('sends an empty file', async () => {
    const { status, headers, bytes } = await send(path('', 'empty.csv'))
    expect([status, headers['content-length'], bytes.length]).to.deep.equal([200, '0', 0])
    expect((await send(path('', 'empty.csv'), { Range: 'bytes=0-0' })).status).to.equal(416)
  })

  const PART = 256 * 1024
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    [`bytes=${PART - 1}-${PART}`, PART - 1, PART],
    [`bytes=${PART}-${2 * PART - 1}`, PART, 2 * PART - 1],
    ['bytes=100000-500000', 100_000, 500_000],
    ['bytes=614399-', 614_399, 614_399],
    ['bytes=-5', 614_395, 614_399],
    ['bytes=600000-99999999', 600_000, 614_399],
  ]
  for (const [range, start, end] of ranges)
    it(`206: ${range}`, async () => {
      const { status, headers, bytes } = await send(LARGE, { Range: range })
      expect(status).to.equal(206)
      expect(headers['content-range']).to.equal(`bytes ${start}-${end}/614400`)
      expect(headers['content-length']).to.equal(String(end + 1 - start))
      expect(bytes.equals(large.subarray(start, end + 1))).to.equal(true)
    })

  it('416: a range beyond the end, naming the length', async () => {
    for (const range of ['bytes=614400-', 'bytes=999999999-9999999999', 'bytes=-0', 'bytes=5-2']) {
      const { status, headers, bytes } = await send(LARGE, { Range: range })
      expect(status, range).to.equal(416)
      expect(headers['content-range']).to.equal('bytes */614400')
      expect(headers['cache-control']).to.equal('no-store')
      expect(JSON.parse(bytes.toString()).error.code).to.equal('bad_parameter')
    }
  })

  it('sends the whole file for several ranges, thousands of them, and what is no range', async () => {
    const thousands = `bytes=${Array.from({ length: 1_500 }, (_, i) => `${i}-`).join(',')}`
    for (const range of [
      'bytes=0-1,2-3',
      'bytes=0-,0-,0-',
      thousands,
      'bytes=a-b',
      'lines=1-2',
      'bytes',
      '=',
      'bytes=--1',
    ]) {
      const { status, bytes } = await send(CUP, { Range: range })
      expect(status, range.slice(0, 20)).to.equal(200)
      expect(bytes).to.have.length(cup.length)
    }
  })

  it('304 for a known ETag; If-Range sends the part only of the same bytes', async () => {
    const etag = `"${sha256(cup)}"`
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, headers, bytes } = await send(CUP, { 'If-None-Match': known })
      expect([status, bytes.length, headers.etag]).to.deep.equal([304, 0, etag])
      expect(headers['access-control-allow-origin']).to.equal('*')
    }
    expect((await send(CUP, { 'If-None-Match': '"other"' })).status).to.equal(200)
    const withCondition = (condition: string) => send(CUP, { Range: 'bytes=0-3', 'If-Range': condition })
    expect((await withCondition(etag)).status).to.equal(206)
    for (const other of ['"other"', `W/${etag}`, 'Wed, 21 Oct 2037 07:28:00 GMT'])
      expect((await withCondition(other)).status, other).to.equal(200)
  })

  it('404: another name, another hash, a file that only a draft shows, and malformed addresses', async () => {
    const hash = sha256(cup)
    const addresses = [
      ...[`/media/${hash}/other.png`, `/media/${'0'.repeat(64)}/cup.png`, path(png(9, 9), 'secret.png')],
      ...[`/media/${hash}`, `/media/${hash}/`, '/media/', `/media/${hash.toUpperCase()}/cup.png`],
      ...[`/media/${hash}/images/cup.png`, `/media/${hash}/images%2Fcup.png`, `/media/${hash}/%FF`],
      ...[`/media/${hash}/%00`, `/media/${hash}/..%2fcup.png`, `/media/${hash}/${'a'.repeat(3_200)}`],
    ]
    for (const address of addresses) {
      const { status, headers, bytes } = await send(address)
      expect(status, address).to.equal(404)
      expect(JSON.parse(bytes.toString())).to.deep.equal({
        error: { code: 'not_found', message: 'This file does not exist.' },
      })
      expect(headers['cache-control'], address).to.equal('public, max-age=10')
    }
    expect((await send(`${CUP}?x=1`)).status).to.equal(200)
    expect((await send(CUP, {}, 'POST')).status).to.equal(405)
    expect((await send(CUP, {}, 'OPTIONS')).status).to.equal(204)
  })

  it('404 at once when the page is hidden, although the file was stored in memory', async () => {
    expect((await send(CUP)).status).to.equal(200)
    const { body } = await test.get('/files')
    expect(body.items).to.have.length(7)
    await importFiles(world('draft'), files)
    test.service.invalidate()
    for (const url of [CUP, LARGE, path(svg, 'leaf.svg')]) {
      expect((await send(url)).status).to.equal(404)
      expect((await send(url, { 'If-None-Match': '*' })).status).to.equal(404)
      expect((await send(url, { Range: 'bytes=0-1' }, 'HEAD')).status).to.equal(404)
    }
    expect((await test.get('/files')).body.items).to.deep.equal([])
    expect((await test.get('/files/images/cup.png')).status).to.equal(404)
    await importFiles(world(), files)
    test.service.invalidate()
    expect((await send(CUP)).status).to.equal(200)
  })

  it('ends the response of a file that is withdrawn while it is sent', async () => {
    const { hostname, port } = new URL(test.service.listeningUrl)
    const bytes = Buffer.alloc(20 * 1024 * 1024, 'tea')
    await importFiles({ pages: [{ path: 'tea', revisions: [{ markdown: '[](film.bin)' }] }] }, [
      { path: 'film.bin', data: bytes },
    ])
    test.service.invalidate()
    const received = await new Promise<number>((resolve, reject) => {
      let length = 0
      const outgoing = request(
        { hostname, port, path: path(bytes, 'film.bin'), agent: false },
        (response) => {
          response.once('data', (chunk: Buffer) => {
            length += chunk.length
            response.pause()
            importFiles({ pages: [{ path: 'tea', revisions: [{ markdown: 'None.' }] }] }, []).then(() => {
              response.on('data', (more: Buffer) => {
                length += more.length
              })
              response.resume()
            }, reject)
          })
          response.on('close', () => resolve(length))
          response.on('error', () => {})
        },
      )
      outgoing.on('error', reject).end()
    })
    expect(received).to.be.lessThan(bytes.length)
  })
})

describe('the rate limit of files', () => {
  const test = withService({ rateLimit: 5, mediaRateLimit: 3 })
  const url = `/media/${sha256(cup)}/cup.png`
  before(async () => {
    await makeWorldWithFiles(world(), files)
    test.service.invalidate()
  })

  it('is one of its own: files do not use up the requests of the API, nor the reverse', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await test.call(url)).status)
    expect(statuses).to.deep.equal([200, 200, 200, 429])
    const refused = await test.call(url)
    expect(refused.headers['ratelimit-policy']).to.equal('"media";q=3;w=60')
    expect(Number(refused.headers['retry-after'])).to.be.greaterThan(0)
    const answer = await test.get('/pages/tea')
    expect(answer.status).to.equal(200)
    expect(answer.headers['ratelimit-policy']).to.equal('"default";q=5;w=60')
    expect(answer.headers.ratelimit).to.match(/^"default";r=4;/)
  })
})
