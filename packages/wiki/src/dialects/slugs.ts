import { slug } from 'github-slugger'
import { headingIdOf, slugOf } from '../markup.ts'

/** The letters and digits of ASCII in lower case, with a hyphen for what is between them. */
const asciiSlug = (text: string): string => {
  const letters = withoutAccents(text).toLowerCase()
  return letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
}

const withoutAccents = (text: string): string => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')

/** Of Obsidian, whose links to `A | B` are `#A B`. */
export const noteHeadingId = (heading: string): string =>
  headingIdOf(heading.replace(/ ?[:#|^\\[\]][ :#|^\\[\]]*/g, ' '))

const NO_PANDOC = /^[^\p{L}]+|[^\p{L}\p{M}\p{N}_.\s-]/gu

/** The ids that generators make of headings, by their own functions: links with a fragment lead where they lead on the site. */
const SLUGS = {
  plain: (text) => slug(text),
  /** GitHub, Docusaurus, Hugo, mdBook, and kramdown as Jekyll sets it. */
  github: slugOf,
  names: noteHeadingId,
  /** Python-Markdown, `toc.slugify`. */
  python: (text) =>
    text
      .normalize('NFKD')
      .replace(/[^\w\s-]|[^\u0000-\u007f]/g, '')
      .trim()
      .toLowerCase()
      .replace(/[-\s]+/g, '-'),
  /** Pandoc, `auto_identifiers`. */
  pandoc: (text) => (text.toLowerCase().replace(NO_PANDOC, '').match(/\S+/g) ?? ['section']).join('-'),
  /** VitePress and VuePress, `@mdit-vue/shared`. */
  vue: (text) =>
    withoutAccents(text)
      .replace(/[\u0000-\u001f]/g, '')
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .replace(/^(\d)/, '_$1')
      .toLowerCase(),
  /** docutils, `make_id`. */
  docutils: (text) => asciiSlug(text).replace(/^[-0-9]+/, ''),
  /** Zola, and the filter `slugify` of Eleventy. */
  ascii: asciiSlug,
  /** Asciidoctor, if its settings are those that it has by itself. */
  asciidoc: (text) => `_${slugOf(text.replaceAll('.', ' ')).replace(/[-_]+/g, '_').replace(/_$/, '')}`,
} as const satisfies Record<string, (text: string) => string>

export type SlugRule = keyof typeof SLUGS

/** Makes the ids of the headings of one text, each once: equal ones get a number. */
export const makeHeadingIds = (rule: SlugRule) => {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  const joint = rule === 'python' || rule === 'asciidoc' ? '_' : '-'
  /** @param own the id that the author chose: it gets no number */
  return (text: string, own?: string): string => {
    const slug = own ?? SLUGS[rule](text)
    let id = slug
    let count = counts.get(slug) ?? 0
    while (own === undefined && taken.has(id)) id = `${slug}${joint}${++count}`
    counts.set(slug, count)
    taken.add(id)
    return id
  }
}
