import { hash } from 'node:crypto'
import type { Timestamp } from '@lectern/wiki/time'
import { z } from 'zod'
import type { TextMarkup } from '../files/link-markup/markup.ts'
import type { Recognition } from '../files/recognition/recognize.ts'
import type { ReadingContext } from './history.ts'

/** Included files in a state. With more, the next import reads everything. */
const INCLUDED_MAX = 20_000

const gitState = z.object({
  /** A number that changes when imports of the same commit give other results, or the shape of the state changes. */
  format: z.literal(6),
  /** The imported commit, and the length of its longest path to a root. */
  head: z.string().regex(/^[0-9a-f]{40,64}$/),
  generation: z.int().min(0),
  /** Digest of what decides which files are which pages. */
  content: z.string(),
  /** Digest of what decides, besides a file, what its text and author become. */
  texts: z.string(),
  titles: z.string(),
  locales: z.record(z.string(), z.int().min(1)),
  hasFormerPaths: z.boolean(),
  from: z.custom<Timestamp>().nullable().default(null),
  included: z.array(z.string()).max(INCLUDED_MAX),
})

/** What is known of a repository from its last import. (D91) */
export type GitState = z.output<typeof gitState>

/** @returns null if it is not the state of a git repository, or of another format */
export const parseGitState = (state: unknown): GitState | null => gitState.safeParse(state).data ?? null

/** @returns undefined if the next import must read everything */
export const makeGitState = (state: Omit<GitState, 'format'>): GitState | undefined =>
  gitState.safeParse({ format: 6, ...state }).data

export const digestsOf = (
  content: Recognition,
  { links, mailmap, hasMessages }: Pick<ReadingContext, 'links' | 'mailmap' | 'hasMessages'>,
  markup: TextMarkup,
) => {
  const { layouts, leftOut, linkMarkup, hasComments, dialect, includes, defaultLocale } = content
  const aliases = [...content.aliasPaths]
  const pages = [layouts, leftOut?.toString(), defaultLocale, dialect, links, ...aliases]
  const folder = linkMarkup === 'markdown' ? '' : includes.folders.content
  const texts = [hasMessages, mailmap, linkMarkup, hasComments, folder, markup.names, markup.includes]
  return { content: stateDigest(pages), texts: stateDigest(texts), titles: stateDigest([...content.titles]) }
}

export const stateDigest = (value: unknown): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22)
