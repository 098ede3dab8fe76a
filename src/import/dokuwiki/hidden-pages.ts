import { createContext, Script } from 'node:vm'
import { UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'

/** Time for all ids, milliseconds. A pattern can need exponential time for one id. */
const MATCH_MS = 10_000
const MAX_PATTERN = 2_000

/**
 * The ids that a pattern of `hidepages` matches.
 * @param pattern a Perl pattern, as DokuWiki uses it
 * @throws UsageError if JavaScript does not read the pattern in the same way, or it takes too long
 */
export const matchHiddenPages = (pattern: string, ids: readonly string[]): Set<string> => {
  if (pattern === '') return new Set()
  const expression = compile(pattern)
  const context = createContext({ expression, ids: ids.map((id) => `:${id}`) })
  try {
    const found = new Script('ids.flatMap((id, index) => (expression.test(id) ? [index] : []))').runInContext(
      context,
      { timeout: MATCH_MS },
    ) as number[]
    return new Set([...found].map((index) => ids[index]!))
  } catch {
    throw unreadable(pattern, `it takes more than ${MATCH_MS / 1000} s`)
  }
}

const compile = (pattern: string): RegExp => {
  if (pattern.length > MAX_PATTERN) throw unreadable(pattern, `it has more than ${MAX_PATTERN} characters`)
  try {
    return new RegExp(toJavaScript(pattern), 'ui')
  } catch (error) {
    throw unreadable(pattern, (error as Error).message)
  }
}

/** Perl accepts a backslash before any punctuation. JavaScript refuses it where it is not needed. */
const toJavaScript = (pattern: string): string =>
  pattern
    .replace(/\\([^\w\s])/g, (source, char: string) => (/[\^$\\.*+?()[\]{}|/-]/.test(char) ? source : char))
    .replace(/\\-(?![^[]*\])/g, '-')

const unreadable = (pattern: string, reason: string): UsageError =>
  new UsageError(
    `Cannot use the pattern of $conf['hidepages'], ${quote(pattern)}, so it is unknown which pages are hidden: ${quote(reason)}. Write it more simply.`,
  )
