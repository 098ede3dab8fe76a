/** A value in a PHP file; undefined if it is not a constant. */
export type PhpValue = string | number | boolean | undefined

interface PhpAssignments {
  /** Values by variable and keys, joined by a dot: `conf.plugin.translation.translations`. */
  values: Map<string, PhpValue>
  /** Whether the file includes other files, or assigns values in ways that are not read. */
  isIncomplete: boolean
}

/**
 * A token of PHP: white space, comment, string, here document, variable with keys, word, number or another character.
 * Comments and strings are whole tokens, so that an assignment in them does not count.
 */
const TOKEN =
  /\s+|\/\*[\s\S]*?(?:\*\/|$)|(?:\/\/|#)(?:(?!\?>)[^\n])*|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|<<<|\$\w+|\w+|-?\d+|[\s\S]/gy
const IGNORED = /^(?:\s|\/\*|\/\/|#)/

/**
 * Reads assignments of constants (`$conf['title'] = 'Tea';`) from a PHP file, which is never run.
 * @param text bounded by the caller
 */
export const readAssignments = (text: string): PhpAssignments => {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !IGNORED.test(token))
  const values = new Map<string, PhpValue>()
  let isIncomplete = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (INCLUDE.test(token)) isIncomplete ||= !includesProtected(tokens.slice(at, statementEnd(tokens, at)))
    if (PROGRAM.test(token)) isIncomplete = true
    if (!/^\$\w+$/.test(token)) continue
    const { keys, end } = readKeys(tokens, at + 1)
    if (tokens[end] !== '=' || tokens[end + 1] === '=' || keys === null) {
      isIncomplete ||= keys === null || token === '$conf'
      continue
    }
    const statement = statementEnd(tokens, end + 1)
    const name = [token.slice(1), ...keys].join('.')
    for (const [key, value] of assigned(name, tokens.slice(end + 1, statement))) values.set(key, value)
    at = statement
  }
  return { values, isIncomplete }
}

/** Tokens of programs, which could assign other values. */
const PROGRAM =
  /^(?:if|else|switch|for|foreach|while|eval|extract|unset|global|array_merge|<<<|\$|\$GLOBALS)$/

const INCLUDE = /^(?:include|require)(?:_once)?$/

/** Older versions of DokuWiki include this file, which is read in any case. */
const includesProtected = (tokens: string[]): boolean =>
  tokens.some((token) => /local\.protected\.php['"]$/.test(token))

/** Reads `['a']['b']`. */
const readKeys = (tokens: string[], from: number): { keys: string[] | null; end: number } => {
  const keys: string[] = []
  let at = from
  while (tokens[at] === '[') {
    const key = constantOf(tokens.slice(at + 1, at + 2))
    if (key === undefined || tokens[at + 2] !== ']') return { keys: null, end: at }
    keys.push(String(key))
    at += 3
  }
  return { keys, end: at }
}

const statementEnd = (tokens: string[], from: number): number => {
  let at = from
  while (at < tokens.length && tokens[at] !== ';') at += 1
  return at
}

/** A value, or the values of `array('key' => value, …)`. */
const assigned = (name: string, tokens: string[]): [string, PhpValue][] => {
  const isArray = tokens[0] === '[' || (tokens[0]?.toLowerCase() === 'array' && tokens[1] === '(')
  if (!isArray) return [[name, constantOf(tokens)]]
  const values: [string, PhpValue][] = []
  for (let at = 0; at + 3 < tokens.length; at += 1) {
    if (tokens[at + 1] !== '=' || tokens[at + 2] !== '>') continue
    const key = constantOf([tokens[at]!])
    if (key !== undefined)
      values.push([`${name}.${key}`, isEnd(tokens[at + 4]) ? constantOf([tokens[at + 3]!]) : undefined])
  }
  return values
}

const isEnd = (token: string | undefined): boolean => token === undefined || /^[,)\]]$/.test(token)

const constantOf = (tokens: string[]): PhpValue => {
  const [token] = tokens
  if (tokens.length !== 1 || token === undefined) return undefined
  if (token.startsWith("'")) return token.slice(1, -1).replace(/\\([\\'])/g, '$1')
  // A string in double quotes can contain variables.
  if (token.startsWith('"')) return /[\\$]/.test(token) ? undefined : token.slice(1, -1)
  if (/^-?\d{1,15}$/.test(token)) return Number(token)
  if (/^(?:true|false)$/i.test(token)) return token.toLowerCase() === 'true'
  return undefined
}
