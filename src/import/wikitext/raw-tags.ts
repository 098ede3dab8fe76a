import { decodeHTML } from 'entities'
import { type Conversion, DEPTH } from './conversion.ts'
import { codeBlock, codeSpan, escapeText } from './markdown.ts'

/** How a text within a text is converted, as lines or as blocks. */
interface NestedConverters {
  inline(text: string, conversion: Conversion): string
  blocks(text: string, conversion: Conversion): string
}

/** Comments, and tags whose content is not wikitext, or is a text of its own. Attributes are bounded. */
const RAW =
  /<!--|<(nowiki|pre|syntaxhighlight|source|math|chem|ce|ref|references|gallery|blockquote|poem|score|timeline|graph|mapframe|maplink|hiero|imagemap|templatedata|templatestyles|indicator|includeonly)(\s[^<>]{0,1000}|\/)?>/gi

/** Of these nothing is shown on the page itself. */
const UNSEEN = new Set(['includeonly', 'templatestyles', 'indicator', 'templatedata'])

/**
 * Takes comments out and sets aside what stands between tags of extensions, in one pass: an end tag that is
 * not there is looked for once.
 */
export const extractRawTags = (text: string, conversion: Conversion, nested: NestedConverters): string => {
  const absent = new Set<string>()
  const parts: string[] = []
  let at = 0
  RAW.lastIndex = 0
  for (let match = nextMatch(RAW, text, 0); match; match = nextMatch(RAW, text, at)) {
    parts.push(text.slice(at, match.index))
    const start = match.index + match[0].length
    at = start
    if (match[0] === '<!--') {
      const end = text.indexOf('-->', start)
      at = end < 0 ? text.length : end + 3
      continue
    }
    const tag = match[1]!.toLowerCase()
    const attributes = match[2] ?? ''
    const end = attributes.endsWith('/') || absent.has(tag) ? null : endTag(tag, text, start)
    if (end === null && !attributes.endsWith('/')) {
      absent.add(tag)
      if (tag !== 'references') {
        parts.push(match[0])
        continue
      }
    }
    if (end) at = end.index + end[0].length
    const source = text.slice(match.index, at)
    parts.push(
      setAside(
        { tag, attributes, content: text.slice(start, end?.index ?? start), source },
        conversion,
        nested,
      ),
    )
  }
  parts.push(text.slice(at))
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

interface Tag {
  tag: string
  attributes: string
  content: string
  source: string
}

const setAside = (found: Tag, conversion: Conversion, nested: NestedConverters): string => {
  const { tag, attributes, content, source } = found
  if (UNSEEN.has(tag)) return ''
  if (tag === 'nowiki') {
    return conversion.set({ source, inline: escapeText(content.replace(/\s+/g, ' ')), plain: content })
  }
  if (tag === 'pre' || tag === 'syntaxhighlight' || tag === 'source') {
    const code = tag === 'pre' ? decodeHTML(content.replace(/<\/?nowiki>/gi, '')) : content
    const isInline = /\sinline\b/i.test(attributes)
    return conversion.set({
      source,
      inline: codeSpan(code),
      ...(isInline ? {} : { block: codeBlock(code, attributeOf(attributes, 'lang')) }),
      plain: code,
    })
  }
  if (tag === 'math' || tag === 'chem' || tag === 'ce') {
    conversion.count('formula')
    return conversion.set({ source, inline: codeSpan(content), plain: content })
  }
  if (conversion.depth < DEPTH) {
    if (tag === 'ref') return reference(found, conversion, nested)
    if (tag === 'references') return referenceList(found, conversion, nested)
    if (tag === 'blockquote') return quotation(found, conversion, nested)
    if (tag === 'gallery') return gallery(found, conversion, nested)
    if (tag === 'poem') return poem(found, conversion, nested)
  }
  conversion.count('extension')
  return conversion.set({
    source,
    inline: codeSpan(source),
    block: codeBlock(source, 'wikitext'),
    plain: source,
  })
}

const attributeOf = (attributes: string, name: string): string => {
  const match = new RegExp(`\\s${name}\\s{0,5}=\\s{0,5}(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`, 'i').exec(
    attributes,
  )
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim()
}

/** A number that the list below the text explains. */
const reference = (
  { attributes, content, source }: Tag,
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
  return conversion.set({ source, inline: `<sup>\\[${number}\\]</sup>`, plain: '' })
}

const referenceList = (
  { content, source }: Tag,
  conversion: Conversion,
  nested: NestedConverters,
): string => {
  // References that are written in the list itself: they only say what the numbers in the text mean.
  extractRawTags(content, conversion, nested)
  return conversion.set({ source, inline: '', block: shownReferences(conversion), plain: '' })
}

/** Markdown of the references since the last list. */
export const shownReferences = (conversion: Conversion): string => {
  const first = conversion.referencesShown
  conversion.referencesShown = conversion.references.length
  return conversion.references
    .slice(first)
    .map((text, i) => `${first + i + 1}. ${text.replace(/\s*\n\s*/g, ' ') || '…'}`)
    .join('\n')
}

const quotation = ({ content, source }: Tag, conversion: Conversion, nested: NestedConverters): string => {
  const block = nested.blocks(content, conversion).replace(/^/gm, '> ').replace(/^> $/gm, '>')
  return conversion.set({ source, inline: nested.inline(content.trim(), conversion), block, plain: content })
}

const poem = ({ content, source }: Tag, conversion: Conversion, nested: NestedConverters): string => {
  const lines = content
    .trim()
    .split('\n')
    .map((line) => nested.inline(line.trim(), conversion))
  return conversion.set({ source, inline: lines.join(' / '), block: lines.join('<br>\n'), plain: content })
}

/** Each line names a file and says what it shows. */
const gallery = ({ content, source }: Tag, conversion: Conversion, nested: NestedConverters): string => {
  const items = content
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name, ...caption] = line.split('|')
      const file = /:/.test(name!) ? name! : `File:${name}`
      return `- ${nested.inline(`[[${[file, 'thumb', ...caption].join('|')}]]`, conversion)}`
    })
  return conversion.set({
    source,
    inline: items.map((item) => item.slice(2)).join(' '),
    block: items.join('\n'),
    plain: '',
  })
}
