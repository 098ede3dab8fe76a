import type { Random } from './random.ts'
import { drawWord, LOCALES, rareWord, type WorldLocale } from './words.ts'

/** A page's Markdown in blocks, which stand apart by an empty line: an older edit is the first few of them. */
export type TextMaker = (locale: WorldLocale, title: string, id: number) => string[]

/** Sentences that the texts of a language are put together from. */
const SENTENCES = 6000
/** Characters of a text: the median, the deviation of its logarithm (mean 2.8 K), and the bounds. */
const LENGTH = { median: 2200, deviation: 0.7, min: 150, max: 60_000 }

const sentencesOf = (random: Random, locale: WorldLocale, which: number): string[] =>
  Array.from({ length: SENTENCES }, (_, n) => {
    const length = 6 + random.below(16, which, n)
    const chosen = Array.from({ length }, (_, i) => drawWord(locale, random.of(which, n, i)))
    if (n % 4 === 0) chosen[1] = `**${chosen[1]}**`
    const text = chosen.join(locale.between)
    return text.charAt(0).toUpperCase() + text.slice(1) + locale.stop
  })

/** @param linkTo path of a page that a text may link, of the language */
export const textMaker = (
  random: Random,
  linkTo: (locale: WorldLocale, ...place: number[]) => string,
): TextMaker => {
  const pools = new Map(
    LOCALES.map((locale, i) => [locale.locale, sentencesOf(random, locale, -1 - i)] as const),
  )
  return (locale, title, id) => {
    const pool = pools.get(locale.locale)!
    const sentence = (...place: number[]) => pool[random.below(SENTENCES, id, ...place)]!
    const sentences = (count: number, between: string, ...place: number[]) =>
      Array.from({ length: count }, (_, i) => sentence(...place, i)).join(between)
    const link = (n: number) => {
      const path = linkTo(locale, id, 21, n)
      return `[${path.replaceAll('-', ' ')}](/wiki/${locale.locale}/${path.replaceAll(':', '%3A')})`
    }
    const block = (n: number): string => {
      const kind = random.of(id, 20, n)
      if (kind < 0.15) return `## ${sentence(22, n).slice(0, 24).replaceAll('*', '')}`
      if (kind < 0.19) return `- ${rareWord(locale, random.of(id, 27, n))}`
      if (kind < 0.27) return `- ${sentences(4, '\n- ', 23, n)}`
      if (kind < 0.5) return `${sentences(3, ' ', 24, n)} ${link(n)}`
      return sentences(4, ' ', 25, n)
    }
    const length = Math.min(
      LENGTH.max,
      Math.max(LENGTH.min, LENGTH.median * Math.exp(LENGTH.deviation * random.normal(id, 26))),
    )
    const blocks = [`# ${title}`]
    for (let n = 0, made = 0; made < length; n += 1) {
      blocks.push(block(n))
      made += blocks.at(-1)!.length
    }
    return blocks
  }
}
