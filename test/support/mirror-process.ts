import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { packagePath } from '../../src/paths.ts'

const FOLDER_MODULE = new URL('../../clients/javascript/src/folder.js', import.meta.url).href

/** `[locale, path, extension, foldsCase]` and the name of the file. Both clients are tested with them. */
export const FILE_NAMES: [string, string, string, boolean, string][] = JSON.parse(
  readFileSync(packagePath('clients', 'file-names.json'), 'utf8'),
)

/** Mirrors into a folder for ever, and prints a line for each batch. */
const PROGRAM = `
const { mirrorFolder } = await import(process.argv[1])
const [base, folder, files] = process.argv.slice(2)
const onBatch = ({ isCurrent }) => console.log(isCurrent)
await mirrorFolder({ base, folder, files: files === 'files', poll: 0.005, limit: 20, firstPause: 0.01, onBatch })
`

/** A process that mirrors an API into a folder until it is killed. @param files `'files'`: with the files of pages */
export type StartMirror = (api: string, folder: string, files?: 'files') => ChildProcess

export const startJavascriptMirror: StartMirror = (api, folder, files) =>
  spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, FOLDER_MODULE, api, folder, files ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Kills a process that runs, and waits for its end. @throws Error if it has ended by itself */
export const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) throw new Error(`The process ended with status ${child.exitCode}`)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/** `locale path` and the Markdown of each page in a folder, from the files' front matter. */
export const pagesIn = async (folder: string): Promise<Map<string, string>> => {
  const pages = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.md')) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    const [, head, markdown] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(text)!
    const field = (name: string) => JSON.parse(new RegExp(`^${name}: (.*)$`, 'm').exec(head!)![1]!)
    pages.set(`${field('locale')} ${field('path')}`, markdown!)
  }
  return pages
}

/** The names of the files of pages in a folder, such as `files/<hash>/cup.png`. */
export const filesIn = (folder: string): string[] =>
  existsSync(join(folder, 'files'))
    ? readdirSync(join(folder, 'files'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : []
