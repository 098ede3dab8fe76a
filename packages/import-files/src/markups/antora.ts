import { groupedLines } from '../files/recognition/navigation.ts'
import type { MarkupPage } from './markup.ts'

/** The module of Antora in which a text is, and its name there: `docs/modules/brew/pages/pots/tea.adoc`. */
export const ANTORA_PAGE = /(?:^|\/)modules\/([^/{}|]+)\/pages\/(.+)$/
const XREF =
  /\bxref:(?:([\w.-]{0,100}):)?((?:[\w.-]{1,100}\/){0,10}([\w.-]{1,100}))\.adoc(#[\w.-]{0,200})?\[([^\]\n]{0,500})\]/g
/** The title of a list, or an item without a reference. */
const GROUP = /^(?:\.|\*+\s+)(?<item>\w[^[\]{}]{0,300})$/
/** An include of Spring whose file is missing. */
const LEFT_CODE = /^include-code::[\w./-]{0,300}?(\w{1,100})\[[^\]\n]*\][ \t]*$/gm
/** A class of Java, in texts of Spring. */
const JAVADOC = /\bjavadoc:[\w.{}/$-]{0,300}?(?<!\w)(\w{1,100})(?:#[^\s[\]]{1,200})?\[([^\]\n]{0,400})\]/g
const IMAGE = /\b(image::?)(?:([\w.-]{1,100}):)?((?:\{([\w-]{1,100})\}|\w)[\w./{}-]{0,300}\[)/g
/** An attribute that is an address, not a folder of pictures. */
const ADDRESS = /^:([\w-]{1,100}):[ \t]+(?:https?:|\/)/gm

/** The references of a `nav.adoc`, as names of files. @param folders of the pages of all modules */
export function* antoraEntries(
  text: string,
  file: string,
  folders: readonly string[],
): Generator<[target: string, title: string, groups: string[]]> {
  const own = /(?:^|\/)modules\/([^/]+)\//.exec(file)?.[1] ?? 'ROOT'
  for (const [line, groups] of groupedLines(text, GROUP))
    for (const [, module = own, path, , , label = ''] of line.matchAll(XREF)) {
      const folder = folders.find((one) => one.endsWith(`modules/${module}/pages/`))
      if (folder !== undefined) yield [`${folder}${path}.adoc`, label.includes('{') ? '' : label, groups]
    }
}

/** The attributes of a component as lines of a header, so that a text can do with them no more than with its own. */
export const attributeLines = (attributes: Readonly<Record<string, unknown>>): string =>
  Object.entries(attributes)
    .slice(0, ATTRIBUTES_MAX)
    .map(([name, value]) => `:${name}: ${String(value).replace(/@$/, '')}\n`)
    .map((line) => line.replace(/^:(.*): (?:false|~|null)\n$/, ':!$1:\n'))
    .filter((line) => /^:!?\w[\w-]{0,100}:[^\n\\]{0,500}\n$/.test(line))
    .join('')

const ATTRIBUTES_MAX = 500

/** A text of Antora with its attributes, and with references as other texts have them: to pages from the top, to pictures from its file. */
export const withoutAntora = (text: string, file: string, { path, header = '' }: MarkupPage): string => {
  const [, own, rest = ''] = ANTORA_PAGE.exec(file) ?? []
  if (own === undefined || ANTORA_PAGE.test(`${path}.`)) return text // no site of Antora is recognized
  const modules = '../'.repeat(rest.split('/').length + 1)
  const whole = header + text
  const addresses = new Set(Array.from(whole.matchAll(ADDRESS), ([, name]) => name))
  return whole
    .replace(XREF, (_, module = own, path: string, name: string, id = '', label: string) => {
      const folder = module === 'ROOT' || module === '' ? '' : `${module}/`
      return `xref:/${folder}${path}.adoc${id}[${label || name.replaceAll('-', ' ')}]`
    })
    .replace(JAVADOC, (_, name, options: string) => {
      const [label] = options.split(',').filter((one) => !one.includes('='))
      return label?.trim() || `\`${options.includes('format=annotation') ? '@' : ''}${name}\``
    })
    .replace(/^:imagesdir:.*/gm, '')
    .replace(LEFT_CODE, 'The code of `$1`.')
    .replace(IMAGE, (picture, macro, module = own, name, attribute) =>
      addresses.has(attribute) ? picture : `${macro}${modules}${module}/images/${name}`,
    )
}
