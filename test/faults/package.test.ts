import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packagePath, packageVersion } from '../../src/paths.ts'
import { installPackage, listPackages } from '../../tools/released-files.ts'
import { endProcesses, expectFailure, lectern, serviceUrl, start } from '../support/cli.ts'
import { EventStream } from '../support/event-stream.ts'
import { buildCopy, packedRelease } from './support/built-copy.ts'
import { freePort, giveTo, identity } from './support/server-process.ts'

/** Licenses of the packages that the package contains or installs. They allow it, and ask for no more than their text. */
const LICENSES = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  '0BSD',
])

/** A package in the list of npm, in CycloneDX's format. */
interface Component {
  name: string
  version: string
  purl: string
  licenses?: { license?: { id?: string } }[]
}

interface LockedPackage {
  version?: string
  dev?: boolean
  /** Of an optional package, which a user installs. */
  devOptional?: boolean
  link?: boolean
  hasInstallScript?: boolean
}

const locked = (): [path: string, locked: LockedPackage][] =>
  Object.entries(JSON.parse(readFileSync(packagePath('package-lock.json'), 'utf8')).packages)

/** Addresses that together use all parts of the package, and what their responses contain. */
const ANSWERS: Record<string, string> = {
  '/pages/sencha?format=both&include=text,summary,sections': '"html":"<',
  '/search?q=steamed+leaves': '"highlights":[[',
  '/suggest?q=senhc': '"Sencha"',
  '/revisions/997af8ab-cf2d-402c-94a8-148ce615e5e6/diff': '"hunks":[{',
  '/files': '"media_type":"image/',
  '/recent.atom': '</entry>',
  '/openapi.json': '"openapi":"3.1',
  '/docs': '<!doctype html>',
  '/docs/guide': '<!doctype html>',
  '/docs/guide.md': '# Guide',
  '/docs/clients/python.tgz': '',
}

/** Who uses the package when this process is root. */
const USER = 'nobody'
const isRoot = process.getuid?.() === 0
/** What a command line begins with to run as an ordinary user. */
const AS_USER = isRoot
  ? ['setpriv', `--reuid=${USER}`, '--regid=nogroup', '--clear-groups', '--no-new-privs', '--']
  : []

describe('the package of npm, installed in an empty folder by an ordinary user', () => {
  let folder: string
  let cli: string
  let packed: string
  let warnings: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'lectern-package-'))
    for (const path of ['', 'data', 'tmp', 'home']) {
      mkdirSync(join(folder, path), { recursive: true })
      giveTo(USER, join(folder, path))
    }
    packed = packedRelease(folder)
    const { PATH, HOME } = process.env
    const env = { PATH, HOME: isRoot ? join(folder, 'home') : HOME }
    warnings = installPackage(packed, folder, { env, ...identity(USER) })
    cli = join(folder, 'node_modules', '.bin', 'lectern')
  })
  afterEach(endProcesses)
  after(() => rmSync(folder, { recursive: true, force: true }))

  const environment = () => ({ DATA_DIR: join(folder, 'data'), PORT: '0', INTERNAL_PORT: '0' })
  /** The package in a file system that nothing can write but the folder of the data and one for temporary files. */
  const onReadOnlyDisk = (): string[] => [
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    '--mount',
    'sh',
    '-ec',
    `mount --bind ${folder} ${folder}
mount -o remount,bind,ro ${folder}
mount --bind ${folder}/data ${folder}/data
mount -o remount,bind,rw ${folder}/data
mount -t tmpfs -o mode=1777 tmpfs ${folder}/tmp
mount -o remount,bind,ro /
exec "$@"`,
    'sh',
    ...AS_USER,
  ]

  it('takes at most 75 MB of the disk in 4,500 files, and npm warns of nothing', () => {
    expect(warnings).not.to.match(/warn|error/i)
    const { stdout } = spawnSync('du', ['-sk', join(folder, 'node_modules')], { encoding: 'utf8' })
    expect(Number.parseInt(stdout, 10)).to.be.within(20_000, 75_000)
    // npm needs most of its time for the number of files.
    const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    expect(files.filter((file) => file.isFile()).length).to.be.within(2_000, 4_500)
  })

  it('contains what it needs and nothing else, and prints its version', async () => {
    const installed = join(folder, 'node_modules', 'lectern')
    for (const name of ['test', 'bench', 'src', 'clients'])
      expect(existsSync(join(installed, name)), name).to.equal(false)
    const version = await lectern(['--version'], {}, { cli, through: AS_USER })
    expect(version.stdout).to.equal(`${packageVersion()}\n`)
  })

  it('imports, checks and serves for the ordinary user; root checks beside the service', async () => {
    const sample = join(folder, 'node_modules', 'lectern', 'sample', 'tea-wiki.ndjson')
    const imported = await lectern(['import', 'ndjson', sample], environment(), {
      cli,
      through: AS_USER,
    })
    expect(imported.status, imported.stderr).to.equal(0)
    const port = String(await freePort())
    const settings = { ...environment(), PORT: port, INTERNAL_PORT: String(await freePort()) }
    const url = await serviceUrl(start(['serve'], settings, { cli, through: AS_USER }))
    for (const [path, expected] of Object.entries(ANSWERS)) {
      const response = await fetch(url + path)
      expect(response.status, path).to.equal(200)
      expect((await response.text()).toLowerCase(), path).to.include(expected.toLowerCase())
    }
    const [file] = (await (await fetch(`${url}/files`)).json()).items
    expect((await fetch(new URL(new URL(file.url).pathname, url))).status, 'the bytes of a file').to.equal(
      200,
    )
    const stream = await new EventStream(`${url}/changes?after=now`).untilOpen()
    expect(stream.text).to.match(/^retry: /)
    stream.close()
    // A file of another package, which browsers load.
    const [assets] = (await (await fetch(`${url}/docs`)).text()).match(/docs\/assets\/[^/"]+\//)!
    expect((await fetch(`${url}/${assets}highlightjs/core.js`)).status).to.equal(200)
    for (const through of [AS_USER, []]) {
      const checked = await lectern(['check'], settings, { cli, through })
      expect(checked.stdout).to.match(
        new RegExp(`^ok +ports +PORT: Lectern \\S+ is running on port ${port},`, 'm'),
      )
      expect(checked.status, checked.stdout).to.equal(0)
    }
  })

  it('contains and installs only packages under licenses that allow it, as npm lists them', () => {
    const components: Component[] = JSON.parse(listPackages(folder)).components
    const forbidden = components.filter(
      ({ licenses = [] }) => !licenses.some(({ license }) => LICENSES.has(license?.id ?? '')),
    )
    expect(forbidden.map(({ purl, licenses }) => [purl, licenses])).to.deep.equal([])
    const needed = locked().filter(
      ([path, { link, dev, devOptional }]) => path.includes('node_modules/') && !link && !dev && !devOptional,
    )
    const names = needed.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')} ${version}`)
    expect(components.map(({ name, version }) => `${name} ${version}`)).to.include.members(names)
  })

  it('has the files of this commit alone, with the same bytes if they are built in another folder', () => {
    const copy = buildCopy()
    try {
      const installed = join(folder, 'node_modules', 'lectern')
      const own = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
        (path) =>
          /^(?!node_modules\/|package\.json$)|^node_modules\/@lectern\/[^/]+\/(?!package\.json$|node_modules\/)/.test(
            path,
          ) && statSync(join(installed, path)).isFile(),
      )
      const other = own.filter((path) => {
        const built = join(copy.folder, path)
        return !existsSync(built) || !readFileSync(built).equals(readFileSync(join(installed, path)))
      })
      expect(other).to.deep.equal([])
      expect(own).to.include.members(['dist/src/cli.js', 'node_modules/@lectern/embedded/dist/embedded.js'])
    } finally {
      copy.remove()
    }
  })

  it('tells an ordinary user that the folder of the data cannot be written', async () => {
    const unwritable = { ...environment(), DATA_DIR: '/var/lib/lectern-none' }
    const checked = await lectern(['check'], unwritable, { cli, through: AS_USER })
    expect(checked.stdout).to.match(
      /^wrong +disk +DATA_DIR \(environment\): this user cannot write to \/var\/lib, /m,
    )
    expect(checked.status).to.equal(1)
    const served = await lectern(['serve'], unwritable, { cli, through: AS_USER })
    expectFailure(
      served,
      'DATA_DIR (environment): this user cannot write to /var/lib, so the service cannot create /var/lib/lectern-none (EACCES).',
    )
  })

  it('serves on a read-only disk with a writable folder of data, as the image does', async () => {
    const [command, ...args] = onReadOnlyDisk()
    const touch = (path: string) => spawnSync(command!, [...args, 'touch', join(folder, path)]).status
    expect([touch('data/x'), touch('tmp/x'), touch('x'), touch('node_modules/lectern/x')]).to.deep.equal([
      0, 0, 1, 1,
    ])
    const settings = { ...environment(), TMPDIR: join(folder, 'tmp') }
    const url = await serviceUrl(start(['serve'], settings, { cli, through: onReadOnlyDisk() }))
    expect((await fetch(`${url}/pages/sencha?format=html`)).status).to.equal(200)
  })
})

describe('the package of npm', () => {
  it('is not what `npm pack` makes, which says so', () => {
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], {
      cwd: packagePath('.'),
      encoding: 'utf8',
    })
    expect(stderr).to.include('Run `npm run package` instead')
    expect(status).not.to.equal(0)
  })

  it('depends on no package that runs a script when it is installed, or that only this repository replaces', () => {
    const { bundleDependencies } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
    const isBundled = (path: string) => bundleDependencies.includes(path.replace('node_modules/', ''))
    const replaced = locked().filter(
      ([path, { dev, link }]) => path.startsWith('tools/') || (link && !dev && !isBundled(path)),
    )
    expect(replaced.map(([path]) => path)).to.deep.equal([])
    const withScript = locked().filter(
      ([path, { dev, hasInstallScript }]) => path && !dev && hasInstallScript,
    )
    expect(withScript.map(([path]) => path)).to.deep.equal([])
  })
})
