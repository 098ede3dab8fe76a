import { LINK_SCHEMES } from '../../../wiki/references.ts'
import { headingDestination, pageDestination } from '../../markdown/destinations.ts'
import { codeSpan, escapeDestination } from '../../markdown/markdown.ts'
import type { SyntaxConversion } from './conversion.ts'
import { imageMarkdown } from './media-markdown.ts'
import { labelMarkdown } from './text-markdown.ts'

const SCHEME = /^([a-z0-9.+-]{1,40}):\/\//i
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,200}@(?:[0-9a-z][0-9a-z-]{0,63}\.){1,10}[a-z]{2,63}(?:\?\S*)?$/i
const INTERWIKI = /^([a-zA-Z0-9.]{1,60})>(.*)$/s
const SHARE = /^\\\\[^\\]+\\/

/** Converts `[[target|label]]`. An image as label becomes a linked image. */
export const linkMarkdown = (
  { target, label }: { target: string; label: string | null },
  conversion: SyntaxConversion,
): string => {
  const { site } = conversion.page
  const image = label === null ? null : /^\s*\{\{([^}]+)\}\}\s*$/.exec(label)
  const write = (fallback: string, destination: string | null): string => {
    const text = label === null || label.trim() === '' ? fallback : label
    const content = image ? imageMarkdown(image[1]!, conversion) : labelMarkdown(text)
    return destination === null || content === '' ? content : `[${content}](${destination})`
  }
  const interwiki = INTERWIKI.exec(target)
  if (interwiki) {
    const [, shortcut, reference] = interwiki as unknown as [string, string, string]
    return write(reference, interwikiDestination(shortcut, reference, conversion))
  }
  if (SHARE.test(target))
    return label === null ? codeSpan(target) : `${write(target, null)} (${codeSpan(target)})`
  const scheme = SCHEME.exec(target)?.[1]
  if (scheme !== undefined) {
    if (label === null) return urlMarkdown(target, target)
    return write(target, isLinkScheme(scheme) ? escapeDestination(target) : null)
  }
  if (EMAIL.test(target)) return write(target, `mailto:${escapeDestination(target)}`)
  if (target.startsWith('#') && target.length > 1)
    return write(target.slice(1), localDestination(target.slice(1), conversion))
  return write(site.labelOf(target), internalDestination(target, conversion))
}

/** A URL in the text; its own text is `text`. */
export const urlMarkdown = (url: string, text: string): string => {
  const scheme = /^([a-z0-9.+-]{1,40}):/i.exec(url)?.[1] ?? ''
  if (!isLinkScheme(scheme)) return codeSpan(text)
  const destination = escapeDestination(url)
  return url === text && destination === url ? `<${url}>` : `[${labelMarkdown(text)}](${destination})`
}

const isLinkScheme = (scheme: string): boolean =>
  (LINK_SCHEMES as readonly string[]).includes(scheme.toLowerCase())

/** @returns null if the wiki does not know the shortcut */
const interwikiDestination = (
  shortcut: string,
  reference: string,
  conversion: SyntaxConversion,
): string | null => {
  const url = conversion.page.site.interwiki(shortcut, reference)
  if (url === null) return null
  if (url.startsWith(':')) return internalDestination(url, conversion)
  const scheme = /^([a-z0-9.+-]{1,40}):/i.exec(url)?.[1]
  return scheme === undefined || isLinkScheme(scheme) ? escapeDestination(url) : null
}

const internalDestination = (target: string, conversion: SyntaxConversion): string => {
  const { site, id, locale } = conversion.page
  const [name, fragment] = splitFragment(target)
  // What follows `?` are parameters of DokuWiki.
  const linked = site.resolve(name.split('?')[0]!, id)
  if (linked.id === id && fragment !== '') return localDestination(fragment, conversion)
  return pageDestination(linked.locale ?? locale, linked.path, fragment)
}

/** A link to a section of the page. The ids of DokuWiki differ from those of Markdown. */
const localDestination = (fragment: string, { headings, page }: SyntaxConversion): string =>
  headingDestination(headings.get(page.site.sectionId(fragment)) ?? fragment)

const splitFragment = (target: string): [string, string] => {
  const hash = target.indexOf('#')
  return hash < 0 ? [target, ''] : [target.slice(0, hash), target.slice(hash + 1)]
}
