import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { marked, type Tokens } from 'marked'
import { packagePath } from '../../src/paths.ts'

export interface GuideExample {
  /** The heading that it stands under. */
  part: string
  language: 'sh' | 'js' | 'python'
  code: string
  /** What the guide says that it prints. */
  prints: string
}

/** The address that the guide's examples are written for. */
export const WRITTEN_FOR = 'http://localhost:3000/api/v1'

/** What a program of each language is started by; the program itself comes on standard input. */
const RUNNERS: Record<GuideExample['language'], [string, ...string[]]> = {
  sh: ['bash', '-s'],
  js: [process.execPath, '--input-type=module', '-'],
  python: ['python3', '-'],
}

/** Programs that examples of this language need and this machine lacks. */
export const missingFor = (language: GuideExample['language']): string[] =>
  (language === 'sh' ? ['bash', 'curl'] : language === 'python' ? ['python3'] : []).filter(
    (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined,
  )

export const GUIDE_FILE = packagePath('docs', 'guide.md')

/** Every example of the guide. What follows several of them without another is printed by each. */
export const guideExamples = (markdown = readFileSync(GUIDE_FILE, 'utf8')): GuideExample[] => {
  const examples: GuideExample[] = []
  let part = ''
  let waiting: Omit<GuideExample, 'prints'>[] = []
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') part = token.text
    if (token.type !== 'code') continue
    const { lang, text } = token as Tokens.Code
    if (lang === 'output') {
      examples.push(...waiting.map((example) => ({ ...example, prints: text })))
      waiting = []
    } else waiting.push({ part, language: lang as GuideExample['language'], code: text })
  }
  if (waiting.length > 0) throw new Error(`Nothing is said of what the examples of "${part}" print`)
  return examples
}

/**
 * Runs an example as its reader would.
 * @param base address of the service that it calls instead of the one that is written
 * @returns what it prints, without the end of the last line
 * @throws Error with what it says when it fails
 */
export const runExample = ({ language, code }: GuideExample, base: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const [command, ...args] = RUNNERS[language]
    const child = spawn(command, args, { env: { ...process.env, PYTHONIOENCODING: 'utf-8' } })
    let printed = ''
    let complained = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complained += text
    })
    child.on('error', (error) => reject(new Error(`${command} cannot be started: ${error.message}`)))
    child.on('close', (status) => {
      if (status === 0) resolve(printed.replaceAll('\r\n', '\n').trimEnd())
      else reject(new Error(`${command} ended with ${status}: ${complained}`))
    })
    child.stdin.end(code.replaceAll(WRITTEN_FOR, base))
  })
