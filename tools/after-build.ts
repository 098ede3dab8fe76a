import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildSnapshot, snapshotPath } from '@lectern/embedded/snapshot'
import { build } from 'esbuild'
import { packagePath } from '../src/paths.ts'
import { writeClientArchives } from './client-archives.ts'

/** The folders that are compiled, each with the folder that the compiler writes. */
const COMPILED = [
  ...['src', 'test', 'tools', 'bench', 'clients'].map((folder) => [folder, join('dist', folder)]),
  [join('clients', 'javascript', 'src'), join('clients', 'javascript', 'dist')],
  ...readdirSync(packagePath('packages')).flatMap((name) => [
    [join('packages', name, 'src'), join('packages', name, 'dist')],
    [join('packages', name, 'test'), join('dist', 'packages', name, 'test')],
  ]),
] as [source: string, compiled: string][]

/**
 * Removes compiled files whose source is gone. The compiler leaves them, and mocha would still run a test that was
 * removed or renamed.
 */
const removeStale = ([folder, compiled]: (typeof COMPILED)[number]): void => {
  const root = packagePath(compiled)
  if (!existsSync(root)) return
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const source = join(
      packagePath(folder),
      file.slice(root.length).replace(/(\.js|\.d\.ts)(\.map)?$/, '.ts'),
    )
    if (source.endsWith('.ts') && !existsSync(source)) rmSync(file)
  }
}

/** The scripts of `site/assets` that pages load. Each contains the modules that it imports. */
const SCRIPTS = [
  'before-paint',
  'diagrams/frame',
  'docs-search',
  'guide',
  'landing',
  'reader/main',
  'reference/main',
]

/** Writes all files that browsers load to `dist/site`: scripts and style sheets short, fonts and images as they are. */
const buildSite = async (): Promise<void> => {
  const folder = packagePath('site', 'assets')
  const outdir = packagePath('dist', 'site')
  const { CODE_LANGUAGES } = await import(pathToFileURL(join(folder, 'reader', 'code-languages.js')).href)
  const names = [...new Set(CODE_LANGUAGES.values())].map((name) => `languages/${name}`)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ['.css', '.html', '.svg', '.txt', '.woff2'].includes(extname(name)))
    .concat(SCRIPTS.map((name) => `${name}.js`))
  rmSync(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [
      ...files.map((name) => ({ in: join(folder, name), out: name.slice(0, -extname(name).length) })),
      ...['core', ...names].map((name) => ({
        in: `@highlightjs/cdn-assets/es/${name}.min.js`,
        out: `highlightjs/${name}`,
      })),
    ],
    ...{
      outdir,
      absWorkingDir: packagePath('.'),
      bundle: true,
      minify: true,
      format: 'esm',
      charset: 'utf8',
    },
    loader: { '.html': 'copy', '.svg': 'copy', '.txt': 'copy', '.woff2': 'copy' },
    // Style sheets are inside pages, which complete these addresses.
    external: ['fonts/*'],
  })
  const copy = (from: string, to: string) => copyFileSync(packagePath('node_modules', from), join(outdir, to))
  copy('@highlightjs/cdn-assets/LICENSE', 'highlightjs/LICENSE.txt')
  copy('@mermaid-js/tiny/LICENSE', 'diagrams/LICENSE.txt')
  copy('@mermaid-js/tiny/dist/mermaid.tiny.js', 'diagrams/mermaid.js')
}

/**
 * The last step of `npm run build`. It removes stale files, makes the command executable, collects what browsers load
 * and the clients, and builds the empty database that new embedded databases are copied from, unless it exists.
 */
for (const folders of COMPILED) removeStale(folders)
chmodSync(packagePath('dist', 'src', 'cli.js'), 0o755)
await buildSite()
writeClientArchives(packagePath('dist', 'site', 'clients'))
if (!existsSync(snapshotPath())) await buildSnapshot(snapshotPath())
