import { createContext, Script } from 'node:vm'
import { UsageError } from '@lectern/wiki/errors'
import { quote } from '@lectern/wiki/text'
import { namespaceOfId } from './site.ts'

/** The group that contains everybody, guests too. */
const EVERYBODY = '@ALL'
const MAX_PERMISSION = 16
const READ = 1

/**
 * Which pages guests may read, by an access control list of DokuWiki.
 * @see auth_aclcheck_cb in DokuWiki's inc/auth.php, with which random lists were compared
 */
export class GuestAccess {
  /** The highest permission of guests for each page and each namespace (`wiki:*`) that the list names. */
  readonly #permissions = new Map<string, number>()

  /** @param list text of `acl.auth.php` */
  constructor(list: string) {
    for (const line of list.split('\n')) this.#addLine(trimPhp(line))
  }

  /** The most specific rule for everybody decides: for the page, its namespace, then the namespaces around it. */
  canRead(id: string): boolean {
    const own = this.#permissions.get(id)
    if (own !== undefined) return own >= READ
    let namespace = namespaceOfId(id)
    for (;;) {
      const permission = this.#permissions.get(namespace === '' ? '*' : `${namespace}:*`)
      if (permission !== undefined) return permission >= READ
      if (namespace === '') return false
      namespace = namespaceOfId(namespace)
    }
  }

  /** `id group permission`. Rules with a name of a user or group in them do not count for guests. */
  #addLine(line: string): void {
    if (line === '' || line === '0' || line.startsWith('#')) return
    if (line.includes('%USER%') || line.includes('%GROUP%')) return
    const [, id, rest] = /^([^ \t]*)[ \t]+([\s\S]*)$/.exec(line) ?? []
    if (id === undefined || rest === undefined) return
    // DokuWiki requires a space after the group, even if a comment follows.
    if (!/^[^ \t]+[ \t]/.test(rest)) return
    const [before] = `${id}\t${rest}`.split('#', 1) as [string]
    const [, group, permission] = before.split(/[ \t]+/)
    if (group !== EVERYBODY || permission === undefined) return
    const level = Math.min(parsePermission(permission), MAX_PERMISSION)
    if (level > (this.#permissions.get(id) ?? -1)) this.#permissions.set(id, level)
  }
}

/** What PHP's `trim` removes. */
const trimPhp = (line: string): string => line.replace(/^[ \t\r\0\x0b]+|[ \t\r\0\x0b]+$/g, '')

/** A number. Other texts mean different permissions in different versions of PHP; here they forbid. */
const parsePermission = (text: string): number =>
  /^[+-]?\d{1,15}(?:\.\d{0,15})?$/.test(text) ? Math.trunc(Number(text)) : 0

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
