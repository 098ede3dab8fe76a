import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect } from 'chai'
import { snapshotPath } from '../../src/db/embedded/snapshot.ts'
import { packagePath } from '../../src/paths.ts'
import { endProcesses, lectern, serviceUrl, start } from '../support/cli.ts'
import { withTemporaryFolder } from '../support/temporary-folder.ts'

interface LockedPackage {
  dev?: boolean
  link?: boolean
  hasInstallScript?: boolean
}

const locked = (): [path: string, locked: LockedPackage][] =>
  Object.entries(JSON.parse(readFileSync(packagePath('package-lock.json'), 'utf8')).packages)

/** Paths of the packages that whoever installs Lectern gets, such as `node_modules/pg`. */
const installedPackages = (): string[] =>
  locked()
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(packagePath(path)))
    .map(([path]) => path)

describe('the package of npm', function () {
  this.timeout(120_000)
  const folder = withTemporaryFolder()
  afterEach(endProcesses)

  /** Installs what `npm pack` makes into an empty folder, without the network. @returns the folder of the package */
  const install = (): string => {
    const target = folder.path('node_modules')
    mkdirSync(target)
    // The dependencies alone: a development package that Lectern loads would be missing.
    for (const path of installedPackages().filter((one) => one.lastIndexOf('node_modules') === 0)) {
      mkdirSync(dirname(folder.path(path)), { recursive: true })
      symlinkSync(packagePath(path), folder.path(path))
    }
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder.path()]
    const [{ filename }] = JSON.parse(
      execFileSync('npm', args, { cwd: packagePath(), encoding: 'utf8', stdio: 'pipe' }),
    )
    execFileSync('tar', ['xzf', folder.path(filename), '-C', folder.path()])
    renameSync(folder.path('package'), join(target, 'lectern'))
    const installed = join(target, 'lectern')
    // Creating a database without it takes seconds more.
    const snapshot = relative(packagePath(), snapshotPath())
    cpSync(packagePath(snapshot), join(installed, snapshot), { recursive: true })
    return installed
  }

  it('serves and prints its version when it is installed in an empty folder', async () => {
    const installed = install()
    for (const name of ['test', 'bench', 'src', 'node_modules', 'clients'])
      expect(existsSync(join(installed, name)), name).to.equal(false)
    const cli = join(installed, 'dist', 'src', 'cli.js')
    const nodeOptions = ['--liftoff-only', '--preserve-symlinks', '--preserve-symlinks-main']
    const version = await lectern(['--version'], {}, { cli, nodeOptions })
    expect(version.stdout).to.equal(
      `${JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version}\n`,
    )
    const environment = { DATA_DIR: folder.path('data'), PORT: '0', INTERNAL_PORT: '0' }
    const service = start(['serve'], environment, { cli, nodeOptions })
    const url = await serviceUrl(service)
    for (const path of ['/pages/sencha?format=html', '/docs', '/docs/guide'])
      expect((await fetch(url + path)).status, path).to.equal(200)
    // A file of another package, which browsers load.
    const [assets] = (await (await fetch(`${url}/docs`)).text()).match(/docs\/assets\/[^/"]+\//)!
    expect((await fetch(`${url}/${assets}highlightjs/core.js`)).status).to.equal(200)
  })

  it('depends on no package that runs a script when it is installed, or that only this repository replaces', () => {
    const replaced = locked().filter(([path, { dev, link }]) => path.startsWith('tools/') || (link && !dev))
    expect(replaced.map(([path]) => path)).to.deep.equal([])
    const withScript = locked().filter(
      ([path, { dev, hasInstallScript }]) => path && !dev && hasInstallScript,
    )
    expect(withScript.map(([path]) => path)).to.deep.equal([])
  })
})
