import { codeBlock } from '@lectern/wiki/import/markdown'
import { sectionId } from '../site.ts'
import { blocksToMarkdown } from './block-markdown.ts'
import { parseSyntax } from './block-parser.ts'
import { type DokuwikiPage, SyntaxConversion, type UnconvertedSyntax } from './inline-markdown.ts'

export interface ConvertedSyntax {
  markdown: string
  /** As the text sets it, or its first heading, of any level, as in DokuWiki; undefined if there is none. */
  title: string | undefined
  /** Names of the categories. */
  categories: string[]
  /** Number of constructs that were not converted. */
  unconverted: ReadonlyMap<UnconvertedSyntax, number>
}

/** A longer text stays as it is. To convert so many characters of marks took at most 140 MB and 2.5 s. */
const MAX_CHARACTERS = 1024 * 1024

/**
 * Converts a text of DokuWiki to Markdown, in linear time and memory, because anybody may have written it.
 * Syntax of plugins stays as it is, as code, and is counted.
 */
export const convertSyntax = (text: string, page: DokuwikiPage): ConvertedSyntax => {
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
  if (clean.length > MAX_CHARACTERS) {
    const unconverted = new Map([['too long', 1] as const])
    return { markdown: `${codeBlock(clean)}\n`, title: undefined, categories: [], unconverted }
  }
  const blocks = parseSyntax(clean, { camelCase: page.site.options.camelCase })
  const headings = new Map<string, string>()
  let title: string | undefined
  for (const block of blocks) {
    if (block.type !== 'heading') continue
    title ??= block.title || undefined
    const id = sectionId(block.title, page.site.options)
    if (!headings.has(id)) headings.set(id, block.title)
  }
  const conversion = new SyntaxConversion(page, headings)
  const body = blocksToMarkdown(blocks, conversion)
  const { footnotes } = conversion
  const notes = footnotes.length === 0 ? [] : ['---', footnotes.map((note) => `1. ${note}`).join('\n')]
  const markdown = [body, ...notes].filter((part) => part !== '').join('\n\n')
  return {
    markdown: markdown === '' ? '' : `${markdown}\n`,
    title: conversion.title ?? title,
    categories: [...conversion.categories],
    unconverted: conversion.unconverted,
  }
}
