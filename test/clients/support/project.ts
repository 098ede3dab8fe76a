import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { packagePath } from '../../../src/paths.ts'
import type { Open } from '../projects/wiki-reader.ts'

const CLIENTS = packagePath('test', 'clients')

/** A command of the package in `test/clients`. */
const installed = (command: string): string => join(CLIENTS, 'node_modules', '.bin', command)

/** The compiler of this repository: it needs a third of the time of the one that generators use. */
const COMPILER = packagePath('node_modules', 'typescript-7', 'bin', 'tsc')

/** Runs a program. @throws Error with what it printed, when it fails */
const run = async (folder: string, [program = '', ...values]: string[], api: string): Promise<string> => {
  const env = { ...process.env, WIKI_API: api, DO_NOT_TRACK: '1', REDOCLY_TELEMETRY: 'off' }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, values, { cwd: folder, env })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${stdout}${stderr}`)
  }
}

/** Puts the TypeScript that a section of `docs/clients.md` shows beside the generated client, to compile it as it is. */
const copyExamples = async (section: string, folder: string): Promise<void> => {
  const text = await readFile(packagePath('docs', 'clients.md'), 'utf8')
  const shown = text.split('\n### ').find((one) => one.startsWith(`${section}\n`)) ?? ''
  const examples = [...shown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)
  if (examples.length === 0) throw new Error(`docs/clients.md has no TypeScript in the section ${section}`)
  for (const [i, code] of examples.entries())
    await writeFile(join(folder, 'generated', `shown-${i}.ts`), code.replaceAll("'./generated/", "'./"))
}

/**
 * Generates a client from a running service, and compiles it with its reader and the examples of the documents, strictly.
 * @param name a folder of `projects/`
 * @param section of `docs/clients.md`
 * @param command what generates, as its user would type it after `npx` in that folder
 * @param api address of the service, such as `http://127.0.0.1:40123/api/v1`; also in `WIKI_API`
 * @returns what opens the reader
 * @throws Error with what the generator or the compiler found wrong
 */
export const generateClient = async (
  name: string,
  section: string,
  command: string[],
  api: string,
): Promise<Open> => {
  const folder = join(CLIENTS, 'projects', name)
  for (const old of ['generated', 'dist']) await rm(join(folder, old), { recursive: true, force: true })
  const [generator = '', ...values] = command
  await run(folder, [installed(generator), ...values], api)
  await copyExamples(section, folder)
  await run(folder, [process.execPath, COMPILER, '-p', '.'], api)
  return opened(join(folder, 'dist', 'test', 'clients', 'projects', name, 'reader.js'))
}

/** What opens a reader that needs neither generating nor compiling. */
export const plain = (name: string): Promise<Open> => opened(join(CLIENTS, 'projects', name, 'reader.mjs'))

const opened = async (file: string): Promise<Open> => {
  const { open } = await import(pathToFileURL(file).href)
  return open
}
