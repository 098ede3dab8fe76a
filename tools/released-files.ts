import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'

/** What a release consists of beside the commit: the package, and the list of what is in it. */

const npm = (args: string[], folder: string, options: SpawnSyncOptions = {}) => {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    ...options,
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`)
  return { stdout, stderr }
}

interface Packed {
  /** Name of the file in the destination. */
  filename: string
  /** Its hash. */
  integrity: string
}

const pack = (folder: string, destination: string): Packed =>
  JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', destination], folder).stdout)[0]

/** What nothing loads. Each file takes npm time twice: it unpacks a package to read it, and again to install it. */
const NEEDLESS = new RegExp(
  [
    /\.map$|\.[cm]?ts$/, // for editors and debuggers
    /\/node_modules\/.+\/(\.github|\.yarn|tests?|docs|bench|benchmarks?|examples?)$/, // for those who change a package
    /\/(@graphql-tools|@graphql-yoga|@envelop)\/.+\/cjs$|\/graphql-yoga\/cjs$|\/(pglite|zod)\/.+\.cjs$/, // for `require`
    /\/node_modules\/graphql\/.+\.mjs$/, // for bundlers
    /\/dayjs\/(esm|locale|plugin)$|\/temml\/(contrib|src)$|\/pglite\/dist\/(contrib|.+\.tar\.gz)$/, // unused parts
  ]
    .map(({ source }) => source)
    .join('|'),
)

interface LockedPackage {
  dev?: boolean
  devOptional?: boolean
  link?: boolean
  /** Of a link: the folder. */
  resolved?: string
}

/**
 * Packs a folder that is built, with all packages that it needs to run, in the versions that are locked: so an
 * installation takes these, and nothing else. `npm pack` itself would contain only our own. @param destination a folder
 */
export const packRelease = (folder: string, destination: string): Packed => {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  const write = (path: string, value: unknown) =>
    writeFileSync(join(stage, path, 'package.json'), JSON.stringify(value, null, 2))
  const { scripts, devDependencies, workspaces, overrides, allowScripts, ...manifest } = read('package.json')
  const stage = mkdtempSync(join(tmpdir(), 'lectern-stage-'))
  const copy = (from: string, to = from) => {
    const source = join(folder, from)
    const filter = (path: string) =>
      !NEEDLESS.test(path) && !path.slice(source.length).startsWith(`${sep}node_modules`)
    if (existsSync(source)) cpSync(source, join(stage, to), { recursive: true, filter })
  }
  try {
    const names = manifest.files.map((name: string) => name.replace(/\/\*.*/, ''))
    for (const name of [...names, 'README.md', 'LICENSE']) copy(name)
    const locked = Object.entries<LockedPackage>(read('package-lock.json').packages)
    for (const [path, { dev, devOptional, link, resolved }] of locked)
      if (path.startsWith('node_modules/') && !dev && !devOptional) {
        const from = link ? resolved! : path
        copy(from, path)
        const installed = read(join(from, 'package.json'))
        // npm does not know our overrides where Lectern is installed, and would call these versions invalid.
        for (const name of Object.keys(installed.dependencies ?? {}))
          installed.dependencies[name] = overrides[name] ?? installed.dependencies[name]
        write(path, installed)
      }
    write('', { ...manifest, bundleDependencies: Object.keys(manifest.dependencies) })
    return pack(stage, destination)
  } finally {
    rmSync(stage, { recursive: true })
  }
}

/**
 * Installs a packed file in a folder of its own.
 * @param options who does it
 * @returns what npm printed besides: its warnings
 */
export const installPackage = (
  file: string,
  folder: string,
  options: Pick<SpawnSyncOptions, 'uid' | 'gid' | 'env'> = {},
): string => {
  // npm lists what a folder contains only if the folder has a name. It changes this file, so its user writes it.
  const input = '{ "name": "installation", "version": "1.0.0" }'
  spawnSync('tee', ['package.json'], { ...options, cwd: folder, input })
  return npm(['install', '--no-audit', '--no-fund', file], folder, options).stderr
}

/**
 * The packages that are installed in a folder, in CycloneDX's format, as npm lists them. npm would leave out packages
 * of a folder with workspaces.
 */
export const listPackages = (folder: string): string =>
  npm(['sbom', '--sbom-format', 'cyclonedx'], folder).stdout
