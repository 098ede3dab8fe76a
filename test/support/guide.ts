import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { marked, type Tokens } from 'marked'
import { packagePath } from '../../src/paths.ts'

export interface GuideExample {
  /** The heading of its section. */
  part: string
  language: 'sh' | 'js' | 'python'
  code: string
  /** The documented output. */
  prints: string
}

/** The base URL in the examples of the guide. */
export const WRITTEN_FOR = 'http://localhost:3000/api/v1'

/** The command that runs an example of each language. It reads the example from standard input. */
const RUNNERS: Record<GuideExample['language'], [string, ...string[]]> = {
  sh: ['bash', '-s'],
  js: [process.execPath, '--input-type=module', '-'],
  python: ['python3', '-'],
}

/** Whether an example uses one of the clients of this repository. */
export const usesClient = ({ code }: GuideExample): boolean => /lectern.client/.test(code)

/** Whether an example runs only in a browser: in no supported Node is `EventSource` defined by default. */
export const usesBrowser = ({ code }: GuideExample): boolean => /new EventSource/.test(code) || isWidget(code)

/** Whether an example makes elements, so that it prints nothing. */
const isWidget = (code: string): boolean => code.includes('document.body')

/** Programs that an example needs and that are not installed. */
export const missingFor = (example: GuideExample): string[] => {
  const { language } = example
  const programs = language === 'sh' ? ['bash', 'curl'] : language === 'python' ? ['python3'] : []
  const missing = programs.filter((program) => runs(program, '--version') === undefined)
  if (missing.length > 0 || language !== 'python' || !usesClient(example)) return missing
  const isNew = runs('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))') === 0
  return isNew ? [] : ['Python 3.11']
}

const statuses = new Map<string, number | undefined>()

/** The status with which a command ended the first time; undefined: its program is not installed. */
const runs = (program: string, ...args: string[]): number | undefined => {
  const command = [program, ...args].join(' ')
  if (!statuses.has(command))
    statuses.set(command, spawnSync(program, args, { stdio: 'ignore' }).status ?? undefined)
  return statuses.get(command)
}

/** The code of the Python client, which a program finds through PYTHONPATH. */
const PYTHON_CLIENT = packagePath('clients', 'python', 'src')

/** A new folder in which a program finds the JavaScript client as if npm had installed it. */
const folderWithClient = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const installed = join(folder, 'node_modules', 'lectern-client')
  mkdirSync(installed, { recursive: true })
  copyFileSync(packagePath('clients', 'javascript', 'package.json'), join(installed, 'package.json'))
  symlinkSync(packagePath('dist', 'clients', 'javascript', 'src'), join(installed, 'dist'))
  return folder
}

/** All examples of the guide. An output belongs to each example since the output before it. */
export const guideExamples = (markdown: string): GuideExample[] => {
  const examples: GuideExample[] = []
  let part = ''
  let waiting: Omit<GuideExample, 'prints'>[] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') part = token.text
    if (token.type !== 'code') continue
    const { lang, text } = token as Tokens.Code
    const example = { part, language: lang as GuideExample['language'], code: text }
    if (isWidget(text)) examples.push({ ...example, prints: '' })
    else if (lang === 'output') {
      examples.push(...waiting.map((example) => ({ ...example, prints: text })))
      waiting = []
    } else waiting.push(example)
  }
  if (waiting.length > 0) throw new Error(`The examples of "${part}" have no output`)
  return examples
}

/**
 * Runs an example as a user would.
 * @param base base URL that replaces the documented one
 * @returns its output, without the last line break
 * @throws Error with the text of standard error when it fails
 */
export const runExample = async (example: GuideExample, base: string): Promise<string> => {
  if (!usesClient(example)) return run(example, base, process.cwd())
  const folder = folderWithClient()
  try {
    return await run(example, base, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Stands in the output after that of each example. */
const END = '-- the end of an example --'

/** An example as a part of a program that runs several: none can use what another one defines. */
const PARTS: Record<GuideExample['language'], (code: string) => string> = {
  sh: (code) => `(\n${code}\n) && echo '${END}' || exit 1`,
  js: (code) =>
    `await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`)}); console.log('${END}')`,
  python: (code) =>
    `exec(compile(${JSON.stringify(code)}, 'example', 'exec'), {'__name__': '__main__'}); print('${END}', flush=True)`,
}

/**
 * Runs examples of one language that use no client, one after another in one process: to start one for each takes more
 * processor time than the requests.
 * @returns their outputs
 * @throws Error like `runExample`
 */
export const runExamples = async (examples: readonly GuideExample[], base: string): Promise<string[]> => {
  const { language } = examples[0]!
  const code = examples
    .map((example) => PARTS[language](example.code.replaceAll(WRITTEN_FOR, base)))
    .join('\n')
  const output = await run({ language, code }, base, process.cwd())
  return output
    .split(END)
    .slice(0, -1)
    .map((text) => text.trim())
}

const run = (
  { language, code }: Pick<GuideExample, 'language' | 'code'>,
  base: string,
  cwd: string,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const [command, ...args] = RUNNERS[language]
    const env = {
      ...process.env,
      PYTHONIOENCODING: 'utf-8',
      PYTHONPATH: PYTHON_CLIENT,
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const child = spawn(command, args, { cwd, env })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    child.on('error', (error) => reject(new Error(`${command} cannot be started: ${error.message}`)))
    child.on('close', (status) => {
      if (status === 0) resolve(output.replaceAll('\r\n', '\n').trimEnd())
      else reject(new Error(`${command} ended with ${status}: ${errors}`))
    })
    child.stdin.end(code.replaceAll(WRITTEN_FOR, base))
  })
