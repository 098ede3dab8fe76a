import { codeBlock, codeSpan } from '@lectern/wiki/import/markdown'
import { decodeHTML } from 'entities'
import { type Conversion, MAX_DEPTH } from './conversion.ts'
import {
  cleanTex,
  displayedFormula,
  escapeWithDollars,
  formulaCode,
  inlineFormula,
  isDisplayedTex,
} from './formulas.ts'
import { outermostPairs, replaceRegions } from './inline.ts'

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

/** Convert a text within a text, as lines or as blocks. */
interface NestedConverters {
  inline(text: string, conversion: Conversion): string
  blocks(text: string, conversion: Conversion): string
}

/** Comments, and tags whose content is not wikitext or is a text of its own. The length of attributes is bounded. */
const RAW_TAG =
  /<!--|<(nowiki|pre|syntaxhighlight|source|math|chem|ce|ref|references|gallery|blockquote|poem|score|timeline|graph|mapframe|maplink|hiero|imagemap|templatedata|templatestyles|indicator|includeonly)(\s[^<>]{0,1000}|\/)?>/gi

/** Tags without output on the page. */
const INVISIBLE_TAGS = new Set(['includeonly', 'templatestyles', 'indicator', 'templatedata'])

/** Removes comments and strips the tags of extensions, in one pass. Searches for a missing end tag only once. */
export const extractRawTags = (text: string, conversion: Conversion, nested: NestedConverters): string => {
  const unclosed = new Set<string>()
  const parts: string[] = []
  let position = 0
  RAW_TAG.lastIndex = 0
  for (let match = nextMatch(RAW_TAG, text, 0); match; match = nextMatch(RAW_TAG, text, position)) {
    parts.push(text.slice(position, match.index))
    const start = match.index + match[0].length
    position = start
    if (match[0] === '<!--') {
      const end = text.indexOf('-->', start)
      position = end < 0 ? text.length : end + 3
      continue
    }
    const tag = match[1]!.toLowerCase()
    const attributes = match[2] ?? ''
    const end = attributes.endsWith('/') || unclosed.has(tag) ? null : endTag(tag, text, start)
    if (end === null && !attributes.endsWith('/')) {
      unclosed.add(tag)
      if (tag !== 'references') {
        parts.push(match[0])
        continue
      }
    }
    if (end) position = end.index + end[0].length
    const source = text.slice(match.index, position)
    parts.push(
      stripTag(
        { tag, attributes, content: text.slice(start, end?.index ?? start), source },
        conversion,
        nested,
      ),
    )
  }
  parts.push(text.slice(position))
  return parts.join('')
}

const nextMatch = (pattern: RegExp, text: string, from: number): RegExpExecArray | null => {
  pattern.lastIndex = from
  return pattern.exec(text)
}

const endTags = new Map<string, RegExp>()

const endTag = (tag: string, text: string, from: number): RegExpExecArray | null => {
  const pattern = endTags.get(tag) ?? new RegExp(`</${tag}\\s{0,10}>`, 'gi')
  endTags.set(tag, pattern)
  return nextMatch(pattern, text, from)
}

interface RawTag {
  tag: string
  attributes: string
  content: string
  source: string
}

const stripTag = (rawTag: RawTag, conversion: Conversion, nested: NestedConverters): string => {
  const { tag, attributes, content, source } = rawTag
  if (INVISIBLE_TAGS.has(tag)) return ''
  if (tag === 'nowiki') {
    return conversion.strip({
      source,
      inline: escapeWithDollars(content.replace(/\s+/g, ' ')),
      plain: content,
    })
  }
  if (tag === 'pre' || tag === 'syntaxhighlight' || tag === 'source') {
    const code = tag === 'pre' ? decodeHTML(content.replace(/<\/?nowiki>/gi, '')) : content
    const isInline = /\sinline\b/i.test(attributes)
    return conversion.strip({
      source,
      inline: codeSpan(code),
      ...(isInline ? {} : { block: codeBlock(code, attributeOf(attributes, 'lang')) }),
      plain: code,
    })
  }
  if (tag === 'math' || tag === 'chem' || tag === 'ce') return formula(rawTag, conversion)
  if (conversion.depth < MAX_DEPTH) {
    if (tag === 'ref') return reference(rawTag, conversion, nested)
    if (tag === 'references') return referenceList(rawTag, conversion, nested)
    if (tag === 'blockquote') return quotation(rawTag, conversion, nested)
    if (tag === 'gallery') return gallery(rawTag, conversion, nested)
    if (tag === 'poem') return poem(rawTag, conversion, nested)
  }
  conversion.count('extension')
  return conversion.strip({
    source,
    inline: codeSpan(source),
    block: codeBlock(source, 'wikitext'),
    plain: source,
  })
}

const formula = ({ tag, attributes, content, source }: RawTag, conversion: Conversion): string => {
  const tex = cleanTex(tag === 'math' ? content : `\\ce{${content}}`)
  const isDisplayed = /^block$/i.test(attributeOf(attributes, 'display')) || isDisplayedTex(tex)
  const markdown = isDisplayed ? displayedFormula(tex) : inlineFormula(tex)
  if (!markdown) conversion.count('formula')
  return conversion.strip({ source, ...(markdown ?? formulaCode(tex)), plain: content })
}

const attributeOf = (attributes: string, name: string): string => {
  const match = new RegExp(`\\s${name}\\s{0,5}=\\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`, 'i').exec(
    attributes,
  )
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim()
}

/** A number. The list of references shows its text. */
const reference = (
  { attributes, content, source }: RawTag,
  conversion: Conversion,
  nested: NestedConverters,
): string => {
  const name = attributeOf(attributes, 'name')
  let number = name === '' ? undefined : conversion.namedReferences.get(name)
  if (number === undefined) {
    number = conversion.references.push('')
    if (name !== '') conversion.namedReferences.set(name, number)
  }
  if (content.trim() !== '') conversion.references[number - 1] = nested.inline(content.trim(), conversion)
  return conversion.strip({ source, inline: `<sup>\\[${number}\\]</sup>`, plain: '' })
}

const referenceList = (
  { content, source }: RawTag,
  conversion: Conversion,
  nested: NestedConverters,
): string => {
  // References inside the list only define the text of a number.
  extractRawTags(content, conversion, nested)
  return conversion.strip({ source, inline: '', block: referencesBlock(conversion), plain: '' })
}

/** Markdown of the references since the last list. */
export const referencesBlock = (conversion: Conversion): string => {
  const first = conversion.referencesShown
  conversion.referencesShown = conversion.references.length
  return conversion.references
    .slice(first)
    .map((text, i) => `${first + i + 1}. ${text.replace(/\s*\n\s*/g, ' ') || '…'}`)
    .join('\n')
}

const quotation = ({ content, source }: RawTag, conversion: Conversion, nested: NestedConverters): string => {
  const block = nested.blocks(content, conversion).replace(/^/gm, '> ').replace(/^> $/gm, '>')
  return conversion.strip({
    source,
    inline: nested.inline(content.trim(), conversion),
    block,
    plain: content,
  })
}

const poem = ({ content, source }: RawTag, conversion: Conversion, nested: NestedConverters): string => {
  const lines = content
    .trim()
    .split('\n')
    .map((line) => nested.inline(line.trim(), conversion))
  return conversion.strip({ source, inline: lines.join(' / '), block: lines.join('<br>\n'), plain: content })
}

/** Each line contains the name and the caption of a file. */
const gallery = ({ content, source }: RawTag, conversion: Conversion, nested: NestedConverters): string => {
  const items = content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name, ...caption] = line.split('|')
      const file = /:/.test(name!) ? name! : `File:${name}`
      return `- ${nested.inline(`[[${[file, 'thumb', ...caption].join('|')}]]`, conversion)}`
    })
  return conversion.strip({
    source,
    inline: items.map((item) => item.slice(2)).join(' '),
    block: items.join('\n'),
    plain: '',
  })
}
