import { expect } from 'chai'
import {
  type Occurrences,
  type PageLexemes,
  positionsOf,
  unpositionedLexemes,
} from '../../src/search/index/page-words.ts'
import { STOP_WORD_MARK } from '../../src/search/lexemes.ts'
import type { Client } from './client.ts'
import type { PageSpec } from './world.ts'

/** A page with one revision. */
export const pageSpec = (path: string, title: string, markdown: string, locale = 'en'): PageSpec => ({
  path,
  locale,
  revisions: [{ title, markdown }],
})

interface SearchBody {
  items: {
    path: string
    score: number
    passages: { text: string; highlights: [number, number][] }[]
  }[]
  next: string
  did_you_mean?: string
}

/** The path of a search. @param rest further parameters, each with its `&` */
export const searchPath = (q: string, rest = ''): string => `/search?q=${encodeURIComponent(q)}${rest}`

/** Searches of a service, which must succeed. */
export const searchesOf = (test: Client) => {
  const find = async (q: string, rest = ''): Promise<SearchBody> => {
    const { status, body } = await test.get(searchPath(q, rest))
    expect(status, q).to.equal(200)
    return body
  }
  const hits = async (q: string, rest = '') => (await find(q, rest)).items
  const paths = async (q: string, rest = '') => (await hits(q, rest)).map(({ path }) => path)
  return { find, hits, paths }
}

/** A tsvector as searches read it. @param words the positions of each lexeme */
export const tsvectorHex = (words: Record<string, readonly number[]>): string => {
  const hexOf = (number: number) => number.toString(16).padStart(4, '0')
  const entries = Object.entries(words).map(
    ([lexeme, at]) => `${Buffer.from(lexeme).toString('hex')}00${[at.length, ...at].map(hexOf).join('')}`,
  )
  return `00000000${entries.join('')}`
}

const WEIGHTS = ['', 'B', 'A'] as const

/** Lexemes in the syntax of a tsvector. @param tag the letter of the configuration */
export const toTsvector = (lexemes: PageLexemes, tag: string): string => {
  const positioned = (mark: string, lexeme: string, found: Occurrences) =>
    `${mark}${tag}${lexeme}:${positionsOf(found)
      .map((weighted) => `${weighted >> 2}${WEIGHTS[weighted & 3]}`)
      .join()}`
  return [
    ...[...lexemes.occurrences].map(([lexeme, found]) => positioned(found.level, lexeme, found)),
    ...[...lexemes.stopWords].map(([word, found]) => positioned(STOP_WORD_MARK, word, found)),
    ...[...unpositionedLexemes(lexemes)].map(([mark, lexeme]) => mark + tag + lexeme),
  ].join(' ')
}
