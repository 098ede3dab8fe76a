import { readFile } from 'node:fs/promises'
import { API_PATH, encodeInQuotes, packagePath, siteRootOf } from '../../paths.ts'
import { type ExampleValues, SAMPLE_VALUES } from '../../rest/openapi/example-values.ts'
import type { ReadOwnApi } from '../../rest/openapi/own-api.ts'
import { OUTPUTS, type Outputs } from './outputs.ts'

interface GuideWiki {
  base: string
  values: ExampleValues
  read: ReadOwnApi
}

const SAMPLE_ORIGIN = 'http://localhost:3000'

const EXAMPLES_OF_THIS_WIKI = 'The examples read this wiki, and the outputs are its responses.'
const EXAMPLES_OF_THE_SAMPLE =
  'The examples read the sample wiki about tea that a new Lectern contains, and the outputs are its responses. Where a Lectern serves this guide (`/api/v1/docs/guide`), the examples read its own wiki.'
const FALLBACK =
  '*This wiki has nothing that these examples could show: their names and outputs are those of the sample wiki about tea.*'

const mcpText = (url: string | undefined): string =>
  url === undefined
    ? 'This service does not take the Model Context Protocol (MCP), but `lectern mcp {{base}}` does on your machine.'
    : `It takes the Model Context Protocol (MCP, streamable HTTP) at \`${url}\`: \`claude mcp add --transport http wiki ${url}\`.`

/**
 * The guide with examples and outputs of a wiki: `site/guide.md` with its placeholders filled. A section whose examples
 * need what the wiki does not have names things of the sample wiki. (D52)
 * @param wiki absent: the sample wiki, throughout
 * @param mcpUrl absent: the service does not take MCP
 * @throws PublicError when the service is overloaded
 */
export const guideMarkdown = async (wiki?: GuideWiki, mcpUrl?: string): Promise<string> => {
  const samples = await filledSections(await sampleExamples(), mcpUrl)
  if (!wiki) return samples.join('').replace('{{intro}}', EXAMPLES_OF_THE_SAMPLE)
  const outputsOf = (heading: string) => OUTPUTS[heading]?.(wiki.values, wiki.read)
  const sections = await filledSections({ ...wiki, outputsOf }, mcpUrl)
  const origin = siteRootOf(wiki.base)
  const filled = sections.map(
    (text, i) =>
      text ?? samples[i]!.replaceAll(SAMPLE_ORIGIN, () => origin).replace('\n', `\n\n${FALLBACK}\n`),
  )
  return filled.join('').replace('{{intro}}', EXAMPLES_OF_THIS_WIKI)
}

/** `schema/guide-outputs.json`: outputs for the sample wiki, by heading. @throws Error if it lacks what a section needs */
export const guideOutputs = async ({ values, read }: GuideWiki): Promise<Record<string, Outputs>> => {
  const entries = Object.entries(OUTPUTS).map(async ([heading, outputsOf]) => {
    const outputs = await outputsOf(values, read)
    if (!outputs) throw new Error(`The sample wiki has nothing for the section "${heading}"`)
    return [heading, outputs] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

interface GuideExamples extends Omit<GuideWiki, 'read'> {
  /** Undefined if the section has no outputs, or the wiki lacks what it needs. */
  outputsOf: (heading: string) => Outputs | undefined | Promise<Outputs | undefined>
}

const sampleExamples = async (): Promise<GuideExamples> => {
  const file = await readFile(packagePath('schema', 'guide-outputs.json'), 'utf8')
  const outputs: Record<string, Outputs> = JSON.parse(file)
  return { base: SAMPLE_ORIGIN + API_PATH, values: SAMPLE_VALUES, outputsOf: (heading) => outputs[heading] }
}

/** The sections of the guide; undefined for one that needs what the wiki lacks. */
const filledSections = async (
  examples: GuideExamples,
  mcpUrl: string | undefined,
): Promise<(string | undefined)[]> => {
  const file = await readFile(packagePath('site', 'guide.md'), 'utf8')
  const template = file.replace('{{mcp}}', () => mcpText(mcpUrl))
  return Promise.all(sectionsOf(template).map((section) => fillSection(section, examples)))
}

/** The text before the first section, then the sections, each with its heading. An output can contain lines like one. */
const sectionsOf = (markdown: string): string[] => {
  const starts = [...markdown.matchAll(HEADING_OR_CODE)]
    .filter(([text]) => text === '## ')
    .map(({ index }) => index)
  return [0, ...starts].map((start, i) => markdown.slice(start, starts[i]))
}

const HEADING_OR_CODE = /^(`{3,}).*?^\1$|^## /gms

const fillSection = async (section: string, { values, base, outputsOf }: GuideExamples) => {
  const texts: Record<string, string | undefined> = {
    ...values,
    page: undefined,
    path: values.page?.path,
    typed: values.typo ?? values.prefix,
  }
  const code = section
    .replaceAll('{{base}}', base)
    .replaceAll('{{origin}}', siteRootOf(base))
    .replace(CODE, (_, fence, language: string, inner: string) => {
      const filled = fillCode(inner, language, texts)
      return `${fence}${language}\n${filled}${fence}`
    })
  if (code.includes(MISSING)) return undefined
  const outputs = await outputsOf(/^## (.*)/.exec(section)?.[1] ?? '')
  if (outputs === undefined) return /\{\{(curl|program)\}\}/.test(section) ? undefined : code
  return code.replace(/^```output\n\{\{(curl|program)\}\}\n```$/gm, (_, name: 'curl' | 'program') =>
    fenced(outputs[name] ?? ''),
  )
}

const CODE = /^(```)(sh|js|python)\n(.*?)^```$/gms

/** Stands in code for a value that the wiki lacks. No page can contain it. */
const MISSING = '\u0000'

/** Fills `{{name}}` with a text for a URL, and `{{name|text}}` with one for a literal in single quotes. */
const fillCode = (code: string, language: string, texts: Readonly<Record<string, string | undefined>>) =>
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
