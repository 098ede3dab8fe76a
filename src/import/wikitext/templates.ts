import { codeBlock, codeSpan } from '../markdown/markdown.ts'
import type { Conversion } from './conversion.ts'
import { escapeWithDollars } from './formulas.ts'
import { outermostPairs, replaceRegions } from './pairs.ts'

/**
 * Strips `{{templates}}` and `{{{parameters}}}`. Only MediaWiki can expand them, so they stay wikitext, as code, except
 * for a few variables that mean the same on every wiki.
 */
export const extractTemplates = (text: string, conversion: Conversion): string =>
  replaceRegions(text, outermostPairs(text, '{', '}', true), (region) => {
    const source = conversion.unstrip(region, 'source')
    const value = source.startsWith('{{{') ? undefined : expandVariable(source.slice(2, -2), conversion)
    if (value !== undefined) return value
    conversion.count('template')
    return conversion.strip({
      source,
      inline: codeSpan(source),
      ...(source.includes('\n') ? { block: codeBlock(source, 'wikitext') } : {}),
      plain: source,
    })
  })

const DEFAULT_SORT = /^(?:DEFAULTSORT|DEFAULTSORTKEY|DEFAULTCATEGORYSORT):/
const DISPLAY_TITLE = /^DISPLAYTITLE:/

/** The text of a variable, empty for an instruction to the wiki; undefined for a template. */
const expandVariable = (content: string, conversion: Conversion): string | undefined => {
  const { page } = conversion
  const word = content.trim()
  const stripText = (text: string) =>
    conversion.strip({ source: `{{${content}}}`, inline: escapeWithDollars(text), plain: text })
  switch (word) {
    case '!':
      return '|'
    case '=':
      return '='
    case 'PAGENAME':
      return stripText(page.name)
    case 'FULLPAGENAME':
      return stripText(page.fullName)
    case 'SITENAME':
      return stripText(page.siteName)
  }
  if (DEFAULT_SORT.test(word)) {
    conversion.defaultSort = word.replace(DEFAULT_SORT, '').split('|')[0]!.trim()
    return ''
  }
  if (DISPLAY_TITLE.test(word)) {
    conversion.displayTitle = word.replace(DISPLAY_TITLE, '').split('|')[0]!.trim()
    return ''
  }
  return undefined
}
