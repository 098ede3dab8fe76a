import { makeWikiAddresses } from '@lectern/wiki/links'
import { sectionsOf } from '@lectern/wiki/plain-text/sections'
import { fileUrl, linkTarget } from '@lectern/wiki/references'
import { nfc, quote, sortKeyOf } from '@lectern/wiki/text'
import { expect } from 'chai'
import { fold, foldWithOffsets, searchKey } from '../src/search/folding.ts'
import { pageLinks } from '../src/search/index/page-links.ts'
import { indexWords, pageLexemes } from '../src/search/index/page-words.ts'
import { cutExcerpt, excerptAround } from '../src/search/query/excerpt.ts'
import { findMatches } from '../src/search/query/matches.ts'
import { parseSearchQuery } from '../src/search/query/parse.ts'
import { occurrencesOf, patternsOf } from '../src/search/query/patterns.ts'
import { windowsOf } from '../src/search/query/windows.ts'
import { wordsOf } from '../src/search/words.ts'
import { cpuTimeOf } from './support/cpu-time.ts'
import { toTsvector, tsvectorHex } from './support/searches.ts'

const LOCALES = new Set(['en', 'ru'])
const PLACE = {
  addresses: makeWikiAddresses({ byLocale: {}, fallback: 'https://wiki.example' }),
  locale: 'en',
  path: 'tea/sencha',
  locales: LOCALES,
}
const QUERY = parseSearchQuery('x "a a a" -b or c or "é é" 茶の木 x.y c++')
const PATTERNS = patternsOf(QUERY, (word) => [word])

/** Words of the query at every position of a page that the index stores. */
const LEXEMES = ['Dgx', 'Dga', 'Dgc', 'Dgé', 'Dgc++']
const POSITIONS = LEXEMES.map((lexeme, n) => [lexeme, Array.from({ length: 255 }, (_, i) => 1 + n + 5 * i)])
const STARTS = [1, 16_000]
const OCCURRENCES = occurrencesOf(tsvectorHex(Object.fromEntries(POSITIONS)), STARTS, PATTERNS)

const linksOf = (text: string): void => {
  const links: { url: string; text: string | null }[] = []
  sectionsOf(text, (url, text) => links.push({ url, text: text?.() ?? null }))
  pageLinks(text, links, PLACE, LOCALES)
}

/** What reads texts that anybody may have written: while importing, and for what a search shows. */
const READERS: Record<string, (text: string) => unknown> = {
  'sections and links of a page': linksOf,
  'words of a page': (text) =>
    toTsvector(
      pageLexemes(
        indexWords({ title: text.slice(0, 500), path: 'a', sections: [{ heading: '', text }] }),
        (word) => [word],
      ),
      'g',
    ),
  'words of a text': (text) => wordsOf(fold(text)),
  'passages of a text': (text) => {
    const all = [0, OCCURRENCES.positions.length] as const
    const { spans, characters } = findMatches({ heading: '', text }, OCCURRENCES, all, PATTERNS, 1, true)
    const found = [...spans.filter((span) => span !== undefined), ...characters]
    for (const { first } of windowsOf(OCCURRENCES, PATTERNS)) {
      const { start, end } = spans[first] ?? { start: text.length >> 1, end: text.length >> 1 }
      cutExcerpt(text, excerptAround(text, { start, end }, { start: 0, end: text.length }), found)
    }
  },
  'folding with offsets': (text) => foldWithOffsets(text).originalOffset(text.length),
  'keys of titles': searchKey,
  'sort keys': sortKeyOf,
  'canonical order': nfc,
  'what a message repeats': quote,
  'addresses of links': (text) => linkTarget(text, PLACE),
  'addresses of files': (text) => fileUrl(text, PLACE),
  'what is typed': parseSearchQuery,
}

/** Every mark that means something to one of them, by itself and before another one, and what nests. */
const MARKS = Array.from('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')
const UNITS = [
  ...MARKS,
  ...MARKS.flatMap((mark) => [`${mark}a`, `${mark} `, `a${mark}${mark}`, `${mark}\n`]),
  ...['[', '<', '(', '`', '"', '*', '![', '](', '<!', '">'].flatMap((mark) =>
    MARKS.map((other) => mark + other),
  ),
  ...`[a](<¦[a](b "¦[a](((¦*a**b ¦<script>¦|§|-§¦[[¦]]¦[a]: ¦[^a¦$a$¦[[a|¦:tea:¦a§: b§¦<a b="¦</¦<!--
-->¦&a;¦&#x¦../¦%2e¦//a¦/index¦.md¦x ¦a a ¦a.b_¦-a ¦--¦@$.¦c++ ¦a# ¦茶¦é ¦ﾊﾞ¦İ¦🍵¦aB¦ก็¦က်¦a-¦@a/b`
    .split(/[¦\n]/)
    .map((unit) => unit.replaceAll('§', '\n')),
  ...['> ```\n', 'e\u0301', '\u0307', '\ufdfa', '\u0301\u0316'],
]

describe('the time to read a text grows as its length, whatever it holds', () => {
  const repeated = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length))

  for (const [name, read] of Object.entries(READERS))
    it(`${name}: 16 times the text, less than 64 times the time`, () => {
      for (const unit of UNITS)
        for (const text of [
          (length: number) => repeated(unit, length),
          // Only what reads Markdown looks into a link.
          ...(read === linksOf ? [(length: number) => `[${repeated(unit, length)}](a)`] : []),
        ]) {
          const cost = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }
          const isLinear = () => cost.long < 64 * cost.short + 25
          for (let round = 0; round === 0 || (round < 6 && !isLinear()); round++) {
            cost.long = Math.min(
              cost.long,
              cpuTimeOf(() => read(text(16_000))),
            )
            if (cost.long < 25) break
            cost.short = Math.min(
              cost.short,
              cpuTimeOf(() => read(text(1_000))),
            )
          }
          const { short, long } = cost
          expect(long < 25 || isLinear(), `${JSON.stringify(unit)}: ${short} ms, then ${long} ms`).to.equal(
            true,
          )
        }
    })
})
