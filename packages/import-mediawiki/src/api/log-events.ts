import { z } from 'zod'
import type { ApiParameters, MediawikiApi } from './client.ts'
import { MEDIAWIKI_API, MEDIAWIKI_FOLLOWING } from './http.ts'

export interface FullTitle {
  title: string
  namespace: number
}

const logEvent = z.object({
  logid: z.int(),
  type: z.string().default(''),
  action: z.string().default(''),
  timestamp: z.string().default(''),
  ns: z.int().default(0),
  // Absent: hidden.
  title: z.string().optional(),
  params: z
    .object({
      target_ns: z.int().optional(),
      target_title: z.string().optional(),
      dest_ns: z.int().optional(),
      dest_title: z.string().optional(),
      newuser: z.string().optional(),
    })
    .catch({}),
})

const logResponse = z.object({
  query: z.object({ logevents: z.array(logEvent).default([]) }).default({ logevents: [] }),
})

const contributionsResponse = z.object({
  query: z
    .object({ usercontribs: z.array(z.object({ title: z.string() })).default([]) })
    .default({ usercontribs: [] }),
})

/** What the log of a wiki says of the histories of its pages. */
export interface LoggedChanges {
  /** Titles of pages whose histories changed, in ways that a list of new revisions does not show. */
  titles: Set<string>
  moves: Move[]
  /** Users whose names changed: their new names. */
  renamedUsers: Set<string>
  /** Ids of all events, the newest ones first. */
  eventIds: number[]
}

interface Move {
  from: FullTitle
  to: FullTitle
}

/** Types of events that change which revisions a page has, or what is hidden of them. */
const TYPES = new Set(['delete', 'move', 'merge', 'import', 'suppress'])

const parametersOf = (more: ApiParameters): ApiParameters => ({
  list: 'logevents',
  leprop: 'ids|title|type|timestamp|details',
  lelimit: MEDIAWIKI_API.listed,
  ...more,
})

/**
 * Reads the log from a time on.
 * @param since milliseconds since 1970
 * @param handled ids of events that the last reading knew
 * @param namespaces of the pages that matter
 */
export const readLog = async (
  api: MediawikiApi,
  since: number,
  handled: ReadonlySet<number>,
  namespaces: ReadonlySet<number>,
): Promise<LoggedChanges> => {
  const changes: LoggedChanges = { titles: new Set(), moves: [], renamedUsers: new Set(), eventIds: [] }
  const start = new Date(since).toISOString()
  for await (const { data } of api.list(logResponse, parametersOf({ ledir: 'newer', lestart: start }))) {
    for (const { logid, type, ns, title, params } of data.query.logevents) {
      changes.eventIds.unshift(logid)
      if (changes.eventIds.length > MEDIAWIKI_FOLLOWING.logEvents) changes.eventIds.pop()
      if (handled.has(logid) || title === undefined) continue
      if (type === 'renameuser' && params.newuser !== undefined) changes.renamedUsers.add(params.newuser)
      if (!TYPES.has(type)) continue
      const from = { title, namespace: ns }
      const to = {
        title: params.target_title ?? params.dest_title ?? title,
        namespace: params.target_ns ?? params.dest_ns ?? ns,
      }
      for (const one of [from, to]) if (namespaces.has(one.namespace)) changes.titles.add(one.title)
      if (type === 'move') changes.moves.push({ from, to })
    }
  }
  return changes
}

/** All moves that the log knows, oldest first; at most the newest 100,000. */
export const readMoves = async (api: MediawikiApi): Promise<Move[]> => {
  const moves: Move[] = []
  for await (const { data } of api.list(logResponse, parametersOf({ letype: 'move', ledir: 'older' }))) {
    for (const { ns, title, params } of data.query.logevents) {
      if (title === undefined || params.target_title === undefined) continue
      moves.push({
        from: { title, namespace: ns },
        to: { title: params.target_title, namespace: params.target_ns ?? 0 },
      })
    }
    if (moves.length >= MEDIAWIKI_FOLLOWING.moves) break
  }
  return moves.reverse()
}

/** Titles of the pages that a user has edited. */
export async function* readContributions(api: MediawikiApi, user: string): AsyncGenerator<string> {
  const parameters = { list: 'usercontribs', ucuser: user, ucprop: 'title', uclimit: MEDIAWIKI_API.listed }
  for await (const { data } of api.list(contributionsResponse, parameters))
    for (const { title } of data.query.usercontribs) yield title
}

/**
 * Former paths of pages by their present paths: follows moves, oldest first.
 * @param known former paths before these moves
 */
export const formerPathsOf = (
  moves: readonly { from: string; to: string }[],
  known: (path: string) => readonly string[] = () => [],
): Map<string, string[]> => {
  const former = new Map<string, string[]>()
  for (const { from, to } of moves) {
    const all = new Set([...(former.get(from) ?? known(from)), from])
    all.delete(to)
    former.set(from, [])
    former.set(to, [...all])
  }
  return former
}
