/**
 * `npm run build`: compiles what has changed, then runs `after-build.ts`. npm runs it after `npm ci` and before
 * `npm start`. Without the development packages (`npm ci --omit=dev`) it leaves the build as it is. It is JavaScript
 * because it runs before anything is compiled. TypeScript 7 compiles, in a third of the time of TypeScript 5, whose
 * programming interface the generators and tests use.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

const version = process.versions.node
const { engines } = JSON.parse(readFileSync(path('package.json'), 'utf8'))
const least = engines.node.replace('>=', '')
if (version.localeCompare(least, 'en', { numeric: true }) < 0) {
  process.stderr.write(`Lectern needs Node ${least} or newer; this is ${version}.\n`)
  process.exit(1)
}

const compiler = () => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('typescript-7/package.json')), 'bin/tsc')
  } catch {
    return undefined
  }
}

const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: path('.') })
  if (status !== 0) process.exit(status ?? 1)
}

const tsc = compiler()
if (tsc !== undefined) {
  run(tsc, '--build', '.', 'clients/javascript')
  run(path('dist/tools/after-build.js'))
} else if (!existsSync(path('dist/src/cli.js')) && process.env.npm_lifecycle_event !== 'prepare') {
  process.stderr.write(
    'Lectern is not built. Run `npm ci`, which installs the development packages and builds. ' +
      'Then you can remove these packages: `npm prune --omit=dev`\n',
  )
  process.exit(1)
}
