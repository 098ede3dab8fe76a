import { plainMarkdown } from '@lectern/wiki/dialects/normalize'
import { type Block, blocksOf } from '@lectern/wiki/plain-text/blocks'
import { blockText } from '@lectern/wiki/plain-text/sections'
import { wellFormed } from '@lectern/wiki/text'
import { SUMMARY_LENGTH } from '../limits/responses.ts'
import { getOrAdd } from '../shared/memoize.ts'

/**
 * The beginning of a text as plain text: its first paragraphs, up to the heading after them. Tables, code, pictures and
 * formulas that stand alone, and days of posts count only if a text has nothing else. It ends at the end of a sentence if one fits, else after a word, with `…`.
 * Takes time linear in the length of what is read, which is bounded, so it runs in the service itself. (D102)
 * @param markdown the text, or its beginning
 * @param locale decides where sentences end
 * @param dialect see `LinkContext.dialect`
 * @returns at most `SUMMARY_LENGTH.max` UTF-16 code units
 */
export const summaryOf = (markdown: string, locale: string, dialect?: string | null): string => {
  const { blocks, definitions } = blocksOf(plainMarkdown(wellFormed(beginningOf(markdown)), dialect))
  const beginning = (isWanted: (block: Block) => boolean): string => {
    const paragraphs: string[] = []
    let length = 0
    for (const block of blocks) {
      if (length > SUMMARY_LENGTH.max || (block.kind === 'heading' && length > 0)) break
      if (!isWanted(block)) continue
      const text = blockText(block, definitions).replace(/\s+/g, ' ').trim()
      if (text === '') continue
      paragraphs.push(text)
      length += text.length
    }
    return paragraphs.join('\n')
  }
  const isText = ({ kind, text }: Block) => kind === 'prose' && !NO_TEXT.test(text.trim())
  const text = beginning(isText) || beginning(({ kind }) => kind !== 'heading')
  return text.length > SUMMARY_LENGTH.max ? cut(text, locale) : text
}

/** A picture or formula alone, or the day of a post, with its authors. */
const NO_TEXT =
  /^\$\$(?:(?!\$\$)[\s\S])*\$\$$|^\d{4}-\d\d-\d\d(?: · .*)?$|^\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\]\([^)]*\))?$/

/** Whole lines and comments, because half of a tag would be text; or words of a line that is long enough by itself. */
const beginningOf = (markdown: string): string => {
  if (markdown.length < SUMMARY_LENGTH.read) return markdown
  const text = markdown.slice(0, SUMMARY_LENGTH.read)
  const comment = text.indexOf('<!--', text.lastIndexOf('-->') + 1)
  const known = comment < 0 ? text : text.slice(0, comment)
  const [line, word] = [known.lastIndexOf('\n'), known.lastIndexOf(' ')]
  return known.slice(0, word - line > 2 * SUMMARY_LENGTH.max ? word : line > 0 ? line : known.length)
}

const cut = (text: string, locale: string): string => {
  // What follows decides whether a sentence ends at the limit.
  const sentences = segmenterOf(locale, 'sentence').segment(text.slice(0, SUMMARY_LENGTH.max + 100))
  let end = 0
  for (const { segment, index } of sentences) {
    const next = index + segment.trimEnd().length
    if (next > SUMMARY_LENGTH.max) break
    end = next
  }
  if (end > 0) return text.slice(0, end)
  const start = text.slice(0, SUMMARY_LENGTH.max)
  const space = start.lastIndexOf(' ')
  return `${text.slice(0, space > 0 ? space : lastCharacterStart(start, locale))}…`
}

/** Where the last character of a text begins, which the limit may have cut. */
const lastCharacterStart = (text: string, locale: string): number => {
  const last = text.slice(-100)
  const { index } = [...segmenterOf(locale, 'grapheme').segment(last)].at(-1)!
  return text.length - last.length + index
}

const segmenters = new Map<string, Intl.Segmenter>()

const segmenterOf = (locale: string, granularity: 'sentence' | 'grapheme'): Intl.Segmenter =>
  getOrAdd(
    segmenters,
    `${granularity} ${locale}`,
    () => new Intl.Segmenter(isKnownLocale(locale) ? locale : 'en', { granularity }),
  )

const isKnownLocale = (locale: string): boolean => {
  try {
    return Intl.Segmenter.supportedLocalesOf(locale).length > 0
  } catch {
    return false // a code that is not well-formed, as BCP 47 defines it
  }
}
