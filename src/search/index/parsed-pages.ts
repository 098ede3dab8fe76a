import { plainMarkdown } from '@lectern/wiki/dialects/normalize'
import { type Section, sectionsOf } from '@lectern/wiki/plain-text/sections'
import { nfc } from '@lectern/wiki/text'
import { binaryTextArray } from '../../db/bulk.ts'
import type { RunStatement } from '../../db/statements.ts'
import type { StatementRows } from '../../generated/statement-rows.ts'
import { configurationTag } from '../configurations.ts'
import { searchKey } from '../folding.ts'
import { type Lexemes, loadStems } from '../stems.ts'
import { mayBePage, type WrittenLink } from './page-links.ts'
import { indexWords, pageLexemes } from './page-words.ts'
import { Tsvectors } from './tsvectors.ts'

/** Characters of a page's text that are indexed; fewer where it has too many different words. */
export const INDEXED_CHARACTERS = 400_000

/** Separators of sections, and of heading and text, in a stored text. No text contains them. */
export const SECTION_END = '\u0001'
export const HEADING_END = '\u0002'

export type PageToIndex = StatementRows['pages_to_index']

type ParsedPage = ReturnType<typeof parsePage>

export const parsePage = (
  { title, path, markdown, config, dialect }: PageToIndex,
  characters = INDEXED_CHARACTERS,
) => {
  const links: WrittenLink[] = []
  const sections = sectionsOf(plainMarkdown(markdown.slice(0, characters), dialect), (url, text, name) => {
    if (mayBePage(url)) links.push({ url, text: text?.() ?? null, name })
  }).map(({ heading, text }) => ({ heading: nfc(heading), text: nfc(text) }))
  return { config, sections, links, ...indexWords({ title, path, sections }) }
}

export const loadStemsOf = (run: RunStatement, pages: readonly ParsedPage[]): Promise<Lexemes> => {
  const wordsOf = new Map(pages.map(({ config }) => [config, new Set<string>()]))
  for (const { config, words } of pages)
    for (const [word, { isStemmed }] of words) if (isStemmed) wordsOf.get(config)!.add(word)
  return loadStems(async (values) => (await run('stems', values.map(binaryTextArray))).rows, wordsOf)
}

/** The columns of the statement `index_pages`, except the version. */
export const indexedColumns = async (
  run: RunStatement,
  pages: readonly PageToIndex[],
  parsed: readonly ParsedPage[],
  lexemes: Lexemes,
): Promise<unknown[]> => {
  const tsvectors = new Tsvectors()
  const stored = [...parsed]
  for (const [i, page] of parsed.entries())
    if (!addWords(tsvectors, page, lexemes))
      stored[i] = await addFirstWords(run, tsvectors, pages[i]!, INDEXED_CHARACTERS >> 1)
  return [
    pages.map(({ id }) => id),
    pages.map(({ title }) => searchKey(title)),
    pages.map(({ path }) => searchKey(path)),
    pages.map(({ revisions }) => Math.log1p(revisions)),
    tsvectors.array(),
    stored.map(({ starts }) => `{${starts.join()}}`),
    binaryTextArray(stored.map(({ sections }) => sections.map(storedSection).join(SECTION_END))),
  ]
}

const addWords = (tsvectors: Tsvectors, page: ParsedPage, lexemes: Lexemes): boolean =>
  tsvectors.add(
    pageLexemes(page, (word) => lexemes(page.config, word)),
    configurationTag(page.config),
  )

/** A page with too many words for a tsvector is indexed with half of its text, or half of that. (D11) */
const addFirstWords = async (
  run: RunStatement,
  tsvectors: Tsvectors,
  page: PageToIndex,
  characters: number,
): Promise<ParsedPage> => {
  const parsed = parsePage(page, characters)
  if (addWords(tsvectors, parsed, await loadStemsOf(run, [parsed]))) return parsed
  return addFirstWords(run, tsvectors, page, characters >> 1)
}

const storedSection = ({ heading, text }: Section): string =>
  [heading, text].map((part) => part.replace(/[\u0001\u0002]/g, ' ')).join(HEADING_END)
