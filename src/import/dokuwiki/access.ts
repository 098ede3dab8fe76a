import { namespaceOfId } from './page-ids.ts'

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
