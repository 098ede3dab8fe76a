import { readFile } from 'node:fs/promises'
import { packagePath } from '../../paths.ts'
import { type ExampleValues, encodeInQuotes } from '../../rest/examples/example-values.ts'
import type { ReadOwnApi } from '../../rest/examples/own-answer.ts'
import { OUTPUTS } from './outputs.ts'

/** A wiki that the examples of the guide read. */
interface GuideWiki {
  /** Base URL of its API. */
  base: string
  values: ExampleValues
  read: ReadOwnApi
}

const EXAMPLES_OF_THIS_WIKI = 'The examples read this wiki, and the outputs are its responses.'
const EXAMPLES_OF_THE_SAMPLE =
  'The examples read the sample wiki about tea that a new Lectern contains, and the outputs are its responses. Where a Lectern serves this guide (`/api/v1/docs/guide`), the examples read its own wiki.'
const FALLBACK =
  '*This wiki has nothing that these examples could show. So they show the sample wiki about tea that a new Lectern contains.*'

/**
 * The guide with examples and outputs of a wiki: `site/guide.md` with its placeholders filled. A section whose examples
 * need what the wiki does not have is that of the sample wiki, as `docs/guide.md` has it. (D53, D122)
 * @param wiki absent: the sample wiki, throughout
 * @throws PublicError when the service is overloaded
 */
export const guideMarkdown = async (wiki?: GuideWiki): Promise<string> => {
  const sample = await readFile(packagePath('docs', 'guide.md'), 'utf8')
  if (!wiki) return sample
  const samples = new Map(sectionsOf(sample).map((section) => [headingOf(section), section]))
  const [intro = '', ...sections] = await filledSections(wiki)
  const filled = sections.map(({ text, heading }) => {
    if (text !== undefined) return text
    const [title = '', ...rest] = samples.get(heading)!.split('\n')
    return [title, '', FALLBACK, ...rest].join('\n')
  })
  return [(intro as FilledSection).text!.replace('{{intro}}', EXAMPLES_OF_THIS_WIKI), ...filled].join('')
}

/** `docs/guide.md`, with examples of the sample wiki. @throws Error if that lacks what a section needs */
export const sampleGuide = async (wiki: GuideWiki): Promise<string> => {
  const sections = await filledSections(wiki)
  const missing = sections.find(({ text }) => text === undefined)
  if (missing) throw new Error(`The sample wiki has nothing for the section "${missing.heading}"`)
  return sections
    .map(({ text }) => text)
    .join('')
    .replace('{{intro}}', EXAMPLES_OF_THE_SAMPLE)
}

interface FilledSection {
  heading: string
  /** Undefined if the wiki lacks what it needs. */
  text?: string
}

const filledSections = async (wiki: GuideWiki): Promise<FilledSection[]> => {
  const template = await readFile(packagePath('site', 'guide.md'), 'utf8')
  return Promise.all(
    sectionsOf(template).map(async (section) => {
      const heading = headingOf(section)
      return { heading, text: await fillSection(section, heading, wiki) }
    }),
  )
}

/** The text before the first section, then the sections, each with its heading. An output can contain lines like one. */
const sectionsOf = (markdown: string): string[] => {
  const starts = [...markdown.matchAll(HEADING_OR_CODE)]
    .filter(([text]) => text === '## ')
    .map(({ index }) => index)
  return [0, ...starts].map((start, i) => markdown.slice(start, starts[i]))
}

const HEADING_OR_CODE = /^(`{3,}).*?^\1$|^## /gms

const headingOf = (section: string): string => /^## (.*)/.exec(section)?.[1] ?? ''

const fillSection = async (
  section: string,
  heading: string,
  wiki: GuideWiki,
): Promise<string | undefined> => {
  const { values, base } = wiki
  const texts: Record<string, string | undefined> = {
    ...values,
    page: undefined,
    path: values.page?.path,
    typed: values.typo ?? values.prefix,
  }
  const code = section.replace(CODE, (_, fence, language: string, inner: string) => {
    const filled = fillCode(inner.replaceAll('{{base}}', base), language, texts)
    return `${fence}${language}\n${filled}${fence}`
  })
  if (code.includes(MISSING)) return undefined
  const outputs = await OUTPUTS[heading]?.(values, wiki.read)
  if (outputs === undefined) return /\{\{(curl|program)\}\}/.test(section) ? undefined : code
  return code.replace(/^```output\n\{\{(curl|program)\}\}\n```$/gm, (_, name: 'curl' | 'program') =>
    fenced(outputs[name] ?? ''),
  )
}

const CODE = /^(```)(sh|js|python)\n(.*?)^```$/gms

/** Stands in code for a value that the wiki lacks. No page can contain it. */
const MISSING = '\u0000'

/** Fills `{{name}}` with a text for a URL, and `{{name|text}}` with one for a literal in single quotes. */
const fillCode = (
  code: string,
  language: string,
  texts: Readonly<Record<string, string | undefined>>,
): string =>
  code.replace(/\{\{(\w+)(\|text)?\}\}/g, (_, name: string, isText?: string) => {
    const value = texts[name]
    if (value === undefined) return MISSING
    if (!isText) return encodeInQuotes(value)
    return language === 'sh' ? value.replaceAll("'", "'\\''") : escapeLiteral(value)
  })

/** For JavaScript and Python. */
const escapeLiteral = (text: string): string =>
  text
    .replaceAll(/[\\']/g, '\\$&')
    .replaceAll(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )

const OUTPUT_CHARACTERS_MAX = 6_000

/** An output as a block of code, with a fence that it does not contain. */
const fenced = (output: string): string => {
  const text = output.trimEnd()
  const shown = text.length > OUTPUT_CHARACTERS_MAX ? `${text.slice(0, OUTPUT_CHARACTERS_MAX)}…` : text
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}output\n${shown}\n${fence}`
}
