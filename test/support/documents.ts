import { readFileSync } from 'node:fs'
import { marked, type Tokens } from 'marked'
import { packagePath } from '../../src/paths.ts'

export interface CodeBlock {
  /** The heading of its section. */
  section: string
  /** Such as `sh`; empty if the block names none. */
  language: string
  text: string
}

/** The code blocks of a document, in their order. @param path in the project, such as `docs/cli.md` */
export const codeBlocks = (path: string): CodeBlock[] => {
  const blocks: CodeBlock[] = []
  let section = ''
  for (const token of marked.lexer(readFileSync(packagePath(path), 'utf8'))) {
    if (token.type === 'heading') section = token.text
    if (token.type !== 'code') continue
    const { lang = '', text } = token as Tokens.Code
    blocks.push({ section, language: lang, text })
  }
  return blocks
}

/** The only code block of a document that matches. @throws Error if there is another number of them */
export const onlyCodeBlock = (path: string, pattern: RegExp): string => {
  const found = codeBlocks(path).filter(({ text }) => pattern.test(text))
  if (found.length !== 1) throw new Error(`${path} has ${found.length} code blocks that match ${pattern}`)
  return found[0]!.text
}

/** Replaces parts of a text. @throws Error if it lacks one of them */
export const substitute = (text: string, substitutions: readonly [from: string, to: string][]): string =>
  substitutions.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`"${from}" is missing in:\n${result}`)
    return result.replaceAll(from, to)
  }, text)
