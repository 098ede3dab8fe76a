import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

let engine: Promise<WebAssembly.Module> | undefined

/**
 * Keeps the WebAssembly of PGlite compiled for as long as this process runs. V8 shares the code of equal modules while
 * one of them exists. Without this, each engine that starts after another has closed is compiled and optimised again:
 * to create, migrate and remove a database then takes 2.6 s of processor time instead of 1.
 */
export const keepEngineCompiled = async (): Promise<void> => {
  engine ??= compileEngine()
  await engine
}

const compileEngine = async (): Promise<WebAssembly.Module> => {
  const path = fileURLToPath(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite')))
  return WebAssembly.compile(await readFile(path))
}

/** Options for a Node process that a test starts and that parses or writes megabytes. */
export const LONG_LIVED: readonly string[] = ['--liftoff-only']

/**
 * Options for a Node process that a test starts. Code that runs for seconds only is not worth optimising, neither
 * WebAssembly (a process with an embedded database takes 1.1 s of processor time instead of 2.7) nor JavaScript (a
 * tenth of a start).
 */
export const SHORT_LIVED: readonly string[] = [...LONG_LIVED, '--no-opt']

/**
 * Gives a closed embedded database 32 MB of buffers, as its copies for readers have, instead of 128: PGlite writes all
 * of them when it opens. That then takes 0.17 s of processor time instead of 0.31.
 */
export const useSmallBuffers = (cluster: string): void =>
  appendFileSync(join(cluster, 'postgresql.conf'), "\nshared_buffers = '32MB'\n")
