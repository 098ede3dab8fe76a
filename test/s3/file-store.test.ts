import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFileStore } from '@lectern/files-s3/file-store'
import { expect } from 'chai'
import { exportNdjson } from '../../src/export/ndjson.ts'
import { makeFileLimits } from '../../src/write/file-writer.ts'
import { lectern, lecternHere } from '../support/cli.ts'
import { describeOnServer, rowsOf, testDatabase } from '../support/database.ts'
import { type FileSpec, importFiles, png, sha256 } from '../support/files.ts'
import { withService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { emptyDatabase, type WorldSpec } from '../support/world.ts'
import { S3Server } from './support/s3-server.ts'

const URL_OF_STORE = 's3://tea.files/wiki/files'
const ALL_TYPES = ['application', 'audio', 'image', 'text', 'video']
const SETTINGS = { fileBytesMax: 25 * 1024 * 1024, filesAllow: ALL_TYPES }
const OUTSIDE = makeFileLimits({ ...SETTINGS, filesUrl: URL_OF_STORE })
const INSIDE = makeFileLimits(SETTINGS)

const cup = png(40, 30)
/** Three parts, the last one short. Each byte tells where it is. */
const large = Buffer.from(Array.from({ length: 600 * 1024 }, (_, i) => (i >> 8) ^ (i & 255)))
const files: FileSpec[] = [
  { path: 'cup.png', data: cup },
  { path: 'same.png', data: cup },
  { path: 'large.zip', data: large },
  { path: 'empty.csv', data: '' },
  { path: 'secret.png', data: png(9, 9) },
]
const TEXT = '![](cup.png) ![](same.png) [](large.zip) [](empty.csv)'
const world = (markdown = TEXT): WorldSpec => ({
  pages: [
    { path: 'tea', revisions: [{ markdown }] },
    { path: 'draft', state: 'draft', revisions: [{ markdown: '![](secret.png)' }] },
  ],
})
const names = (...data: (Buffer | string)[]) => data.map((one) => `wiki/files/${sha256(one)}`).sort()

describeOnServer('files in an S3 store', () => {
  const server = new S3Server()
  const store = makeFileStore(URL_OF_STORE)
  // No cache, so that each request asks the store.
  const test = withService({ cacheSeconds: 0 }, { wrap: (reader) => ({ ...reader, fileStore: store }) })
  const former: Record<string, string | undefined> = {}
  before(async () => {
    await server.start()
    for (const [name, value] of Object.entries(server.environment)) {
      former[name] = process.env[name]
      process.env[name] = value
    }
  })
  after(async () => {
    for (const [name, value] of Object.entries(former))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    await server.remove()
  })
  beforeEach(async () => {
    const { owner } = await testDatabase()
    await emptyDatabase({ ...owner, fileStore: store })
    await importing({ pages: [] }, [])
    server.requests = []
  })

  const importing = async (spec: WorldSpec, some: FileSpec[] = files, isOutside = true) => {
    const { owner } = await testDatabase()
    const database = isOutside ? { ...owner, fileStore: store } : owner
    const done = await importFiles(spec, some, { database, fileLimits: isOutside ? OUTSIDE : INSIDE })
    test.service.invalidate()
    return done
  }
  const open = (path: string, headers = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(test.service.listeningUrl + path, { agent: false, headers }, resolve).on('error', reject)
    })
  const read = async (path: string, headers = {}) => {
    const response = await open(path, headers)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }
  }
  const media = (data: Buffer | string, name: string) => `/media/${sha256(data)}/${name}`
  const partsInDatabase = async () =>
    (await rowsOf('select count(*)::int as parts from wiki.live_blob_part'))[0]!.parts
  const count = (method: string) => server.requests.filter((one) => one.startsWith(`${method} `)).length

  it('an import writes each object once, none that only a draft shows, and no bytes into the database', async () => {
    await importing(world())
    expect(server.objects()).to.deep.equal(names(cup, large, ''))
    expect(await partsInDatabase()).to.equal(0)
    expect(count('PUT')).to.equal(3)
    expect(server.requests.filter((one) => / x-amz|\?acl|\?policy/.test(one))).to.deep.equal([])
    await importing(world(`${TEXT} ![](more.png)`), [...files, { path: 'more.png', data: cup }])
    expect(count('PUT')).to.equal(3)
  })

  it('serves them whole and in ranges', async () => {
    await importing(world())
    const whole = await read(media(large, 'large.zip'))
    expect(whole.bytes.equals(large)).to.equal(true)
    const range = await read(media(large, 'large.zip'), { Range: 'bytes=262143-262144' })
    expect([range.status, range.headers['content-range']]).to.deep.equal([206, 'bytes 262143-262144/614400'])
    expect(range.bytes.equals(large.subarray(262_143, 262_145))).to.equal(true)
    expect((await read(media(cup, 'same.png'))).bytes.equals(cup)).to.equal(true)
    expect((await read(media('', 'empty.csv'))).status).to.equal(200)
  })

  it('the database decides what is public, whatever the bucket has', async () => {
    await importing(world())
    const secret = png(9, 9)
    await store.put([{ sha256: Buffer.from(sha256(secret), 'hex'), data: secret }])
    expect((await read(media(secret, 'secret.png'))).status).to.equal(404)
    expect((await read(media(cup, 'other.png'))).status).to.equal(404)
    await store.delete([sha256(secret)])
  })

  it('a file that no page shows any more is a 404, and its object is deleted; equal bytes stay', async () => {
    await importing(world())
    await importing(world('![](same.png) [](empty.csv)'))
    expect((await read(media(large, 'large.zip'))).status).to.equal(404)
    expect(server.objects()).to.deep.equal(names(cup, ''))
    expect((await read(media(cup, 'same.png'))).status).to.equal(200)
  })

  it('an import that fails stores nothing public, and the next one deletes what it has written', async () => {
    const failing: FileSpec = {
      path: 'same.png',
      data: 'x',
      open: async function* () {
        yield* []
        throw new Error('the source is gone')
      },
    }
    await importing(world(), [
      { path: 'cup.png', data: large },
      { ...failing, bytes: 5_000_000 },
    ]).then(
      () => expect.fail('it must fail'),
      (error: Error) => expect(error.message).to.equal('the source is gone'),
    )
    expect(server.objects()).to.deep.equal(names(large))
    await importing({ pages: [] }, [])
    expect(server.objects()).to.deep.equal([])
  })

  it('an import succeeds although unused objects cannot be deleted, and the next one deletes them', async () => {
    await importing(world())
    const { owner } = await testDatabase()
    const noDeletion = new Proxy(store, {
      get: (target, name) =>
        name === 'delete'
          ? () => Promise.reject(new Error('not allowed'))
          : (Reflect.get(target, name) as () => void).bind(target),
    })
    const { summary } = await importFiles(world(''), files, {
      database: { ...owner, fileStore: noDeletion },
      fileLimits: OUTSIDE,
    })
    expect(summary.files.notDeleted).to.equal('not allowed')
    expect(server.objects()).to.have.length(3)
    await importing(world(''))
    expect(server.objects()).to.deep.equal([])
  })

  it('files move out of the database and back into it with an import', async () => {
    const served = async () => [
      (await read(media(large, 'large.zip'))).bytes.equals(large),
      (await read(media(cup, 'cup.png'))).bytes.equals(cup),
      (await read(media('', 'empty.csv'))).status,
    ]
    await importing(world(), files, false)
    expect([await partsInDatabase(), server.objects().length]).to.deep.equal([5, 0])
    expect(await served()).to.deep.equal([true, true, 200])
    await importing(world())
    expect([await partsInDatabase(), server.objects().length]).to.deep.equal([0, 3])
    expect(await served()).to.deep.equal([true, true, 200])
    await importing(world(), files, false)
    expect(await partsInDatabase()).to.equal(5)
    expect(await served()).to.deep.equal([true, true, 200])
  })

  it('an export has the bytes', async () => {
    await importing(world())
    const folder = mkdtempSync(join(tmpdir(), 'lectern-s3-export-'))
    for (const view of ['guest', 'everything'] as const) {
      const database = (await testDatabase())[view === 'guest' ? 'reader' : 'owner']
      await exportNdjson({ ...database, fileStore: store }, join(folder, `${view}.ndjson`), { view })
      expect(readFileSync(join(folder, `${view}.files`, sha256(large))).equals(large)).to.equal(true)
      expect(readFileSync(join(folder, `${view}.files`, sha256(cup))).equals(cup)).to.equal(true)
    }
    rmSync(folder, { recursive: true })
  })

  it('reads no more when the client goes away', async () => {
    const film = Buffer.alloc(25 * 1024 * 1024, 'A client reads some of it.')
    await importing(world('[](film.zip)'), [{ path: 'film.zip', data: film }])
    const response = await open(media(film, 'film.zip'))
    await until('some was read', () => response.read(1024) !== null)
    response.on('error', () => {}).destroy()
    await until('the request was counted', () => count('GET') > 1)
    await read(media(film, 'film.zip'), { Range: 'bytes=0-9' })
    expect(count('GET')).to.be.lessThan(60)
  })

  it('without the store, files are 503 and pages are served; they return with the store', async () => {
    await importing(world())
    for (const [lose, find] of [
      [() => server.stop(), () => server.start()],
      [() => server.freeze(), () => server.thaw()],
    ] as const) {
      await lose()
      const { status, headers } = await read(media(cup, 'cup.png'))
      expect([status, headers['retry-after']]).to.deep.equal([503, '1'])
      expect((await test.get('/pages/tea')).status).to.equal(200)
      expect((await read(media(png(9, 9), 'secret.png'))).status).to.equal(404)
      await find()
      await until('the file is served', async () => (await read(media(cup, 'cup.png'))).status === 200)
    }
  })

  it('without FILES_URL, a file that is outside is 503', async () => {
    await importing(world())
    const { reader } = await testDatabase()
    const { makeFilePartReader } = await import('../../src/read/link-and-file-loaders.ts')
    const [{ id }] = (await reader.query<{ id: string }>(
      { name: 'blob', text: "select blob_id as id from guest.file where path = 'cup.png'" },
      [],
    )) as [{ id: string }]
    const error = await makeFilePartReader(reader)(id, 0).catch((reason: Error) => reason)
    expect(error).to.include({ code: 'unavailable' })
  })

  const settings = async (more: Record<string, string> = {}) => ({
    DATABASE_URL: (await testDatabase()).place.databaseUrl!,
    FILES_URL: URL_OF_STORE,
    PORT: '0',
    INTERNAL_PORT: '0',
    ...server.environment,
    ...more,
  })

  it('`lectern check` says that the bucket can be read and written, and leaves nothing there', async () => {
    const { stdout } = await lecternHere(['check'], await settings())
    expect(stdout).to.match(/files +the bucket can be read and written/)
    expect(server.objects()).to.deep.equal([])
  })

  const wrong: [string, Record<string, string>, string][] = [
    ['bucket', { FILES_URL: 's3://coffee.files' }, 'FILES_URL: the bucket "coffee.files" does not exist.'],
    [
      'key',
      { AWS_ACCESS_KEY_ID: 'nobody' },
      'does not allow this user to use the bucket "tea.files" (InvalidAccessKeyId',
    ],
    [
      'secret',
      { AWS_SECRET_ACCESS_KEY: 'wrong' },
      'does not allow this user to use the bucket "tea.files" (SignatureDoesNotMatch',
    ],
    [
      'address',
      { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' },
      'FILES_URL: the store does not respond as expected (connect ECONNREFUSED',
    ],
    [
      'credentials',
      { AWS_ACCESS_KEY_ID: '', AWS_EC2_METADATA_DISABLED: 'true' },
      'FILES_URL: there are no credentials. Set AWS_ACCESS_KEY_ID',
    ],
  ]
  const withoutOrigin = (text: string): string => text.replace('FILES_URL (environment)', 'FILES_URL')
  for (const [what, environment, expected] of wrong)
    it(`a wrong ${what}: \`lectern check\` says so`, async () => {
      const checked = await lecternHere(['check'], await settings(environment))
      expect(withoutOrigin(checked.stdout)).to.include(expected)
    })

  it('a wrong bucket: an import says so, too', async () => {
    const [, environment, expected] = wrong[0]!
    const folder = mkdtempSync(join(tmpdir(), 'lectern-s3-notes-'))
    writeFileSync(join(folder, 'tea.md'), '![](cup.png)')
    const failed = await lecternHere(['import', 'folder', folder, '--yes'], await settings(environment))
    expect(withoutOrigin(failed.stderr)).to.include(expected)
    expect(failed.status).to.equal(1)
    rmSync(folder, { recursive: true })
  })

  it('without the SDK, says which package to install', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-s3-hooks-'))
    const hooks = join(folder, 'hooks.mjs')
    writeFileSync(
      hooks,
      `import { register } from 'node:module'
      const resolve = 'export const resolve = async (name, context, next) => { if (name.startsWith("@aws-sdk/")) throw new Error("not found"); return next(name, context) }'
      register('data:text/javascript,' + encodeURIComponent(resolve))`,
    )
    const { stdout } = await lectern(['check'], await settings(), { nodeOptions: ['--import', hooks] })
    expect(stdout).to.include('Run `npm install @aws-sdk/client-s3`')
    rmSync(folder, { recursive: true })
  })
})
