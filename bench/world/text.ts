import type { Random } from './random.ts'
import { LOCALES, pickRareWord, pickWord, type WorldLocale } from './words.ts'

/** A page's Markdown in blocks, to be joined with an empty line. An older revision has only the first blocks. */
export type TextMaker = (locale: WorldLocale, title: string, id: number) => string[]

/** Number of different sentences in the texts of a language. */
const SENTENCES = 6000
/** Characters per text: median, standard deviation of the logarithm (the mean is 2.8 K), minimum and maximum. */
const LENGTH = { median: 2200, deviation: 0.7, min: 150, max: 60_000 }

const sentencesOf = (random: Random, locale: WorldLocale, seed: number): string[] =>
  Array.from({ length: SENTENCES }, (_, n) => {
    const length = 6 + random.below(16, seed, n)
    const words = Array.from({ length }, (_, i) => pickWord(locale, random.of(seed, n, i)))
    if (n % 4 === 0) words[1] = `**${words[1]}**`
    const text = words.join(locale.separator)
    return text.charAt(0).toUpperCase() + text.slice(1) + locale.fullStop
  })

/** @param linkTo the path of a page in the same language, as target of a link */
export const textMaker = (
  random: Random,
  linkTo: (locale: WorldLocale, ...key: number[]) => string,
): TextMaker => {
  const pools = new Map(
    LOCALES.map((locale, i) => [locale.locale, sentencesOf(random, locale, -1 - i)] as const),
  )
  return (locale, title, id) => {
    const pool = pools.get(locale.locale)!
    const sentence = (...key: number[]) => pool[random.below(SENTENCES, id, ...key)]!
    const sentences = (count: number, separator: string, ...key: number[]) =>
      Array.from({ length: count }, (_, i) => sentence(...key, i)).join(separator)
    const link = (n: number) => {
      const path = linkTo(locale, id, 21, n)
      return `[${path.replaceAll('-', ' ')}](/wiki/${locale.locale}/${path.replaceAll(':', '%3A')})`
    }
    const block = (n: number): string => {
      const kind = random.of(id, 20, n)
      if (kind < 0.15) return `## ${sentence(22, n).slice(0, 24).replaceAll('*', '')}`
      if (kind < 0.19) return `- ${pickRareWord(locale, random.of(id, 27, n))}`
      if (kind < 0.27) return `- ${sentences(4, '\n- ', 23, n)}`
      if (kind < 0.5) return `${sentences(3, ' ', 24, n)} ${link(n)}`
      return sentences(4, ' ', 25, n)
    }
    const length = Math.min(
      LENGTH.max,
      Math.max(LENGTH.min, LENGTH.median * Math.exp(LENGTH.deviation * random.normal(id, 26))),
    )
    const blocks = [`# ${title}`]
    for (let n = 0, written = 0; written < length; n += 1) {
      blocks.push(block(n))
      written += blocks.at(-1)!.length
    }
    return blocks
  }
}
