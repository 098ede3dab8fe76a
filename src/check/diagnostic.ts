/** What was looked at, how it is, and what to do about it. */
export interface Diagnostic {
  /** Such as `database`; several findings may share one. */
  about: string
  status: 'ok' | 'warning' | 'wrong'
  says: string
  /** Absent where nothing needs to be done. */
  todo?: string
}

export const ok = (about: string, says: string): Diagnostic => ({ about, status: 'ok', says })
export const warning = (about: string, says: string, todo: string): Diagnostic => ({
  about,
  status: 'warning',
  says,
  todo,
})
export const failure = (about: string, says: string, todo?: string): Diagnostic => ({
  about,
  status: 'wrong',
  says,
  ...(todo ? { todo } : {}),
})

/** A list that is not too long to read. */
export const listText = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
