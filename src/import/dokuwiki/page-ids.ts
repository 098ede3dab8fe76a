/** Settings on which the ids of pages depend. */
export interface IdOptions {
  /** Character between words, `_` by default. */
  separator: string
  /** Whether `/` separates namespaces, too. */
  useSlash: boolean
  /** Whether ids have no accents. */
  removeAccents: boolean
}

/** A longer text is cut before it is cleaned. An id of a page has at most 512 bytes. */
const MAX_LENGTH = 1_000

/**
 * The id that DokuWiki gives a page: lower case, `:` between namespaces, other special characters replaced.
 * @see cleanID in DokuWiki's inc/pageutils.php, with which random texts were compared
 */
export const cleanId = (text: string, { separator, useSlash, removeAccents }: IdOptions): string => {
  const lower = text
    .slice(0, MAX_LENGTH)
    .trim()
    .toLowerCase()
    .replaceAll(';', ':')
    .replaceAll('/', useSlash ? ':' : separator)
  const plain = removeAccents ? withoutAccents(lower) : lower
  return plain
    .replace(SPECIAL, separator)
    .replace(/([_.-])\1+/g, (run, char: string) => (char === separator ? char : run))
    .replace(/:+/g, ':')
    .replace(/^[:._-]+|[:._-]+$/g, '')
    .replace(/[:._-]*:[:._-]*/g, ':')
}

/** Characters that ids do not contain: controls, spaces, punctuation and symbols of the blocks that DokuWiki lists. */
const SPECIAL =
  /[\u0000-)+,/;-@[-^`{-\u00a9\u00ab-\u00b4\u00b6-\u00bf\u00d7\u00f7*\u02c6-\u02c7\u02d8-\u02dd\u2000-\u206f\u20a0-\u20cf\u2100-\u2bff\u3000-\u3003\u3008-\u3020]/gu

const WITHOUT_ACCENTS: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
  æ: 'ae',
  đ: 'd',
  ð: 'dh',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  ŧ: 't',
  þ: 'th',
  ƒ: 'f',
  µ: 'u',
}

/** Letters that lose their accent. DokuWiki keeps others, such as those of Vietnamese. */
const ACCENTED =
  /[áàăâåäãąāæḃćĉčċçďḋđðéèĕêěëėęēḟƒğĝġģĥħíìîïĩįīıĵķĺľļłṁńňñņóòôöőõøōơṗŕřŗśŝšṡşșßťṫţțŧúùŭûůüűũųūưẃẁŵẅýỳŷÿźžżþµ]/g

const withoutAccents = (text: string): string =>
  text.replace(ACCENTED, (letter) => WITHOUT_ACCENTS[letter] ?? letter.normalize('NFD')[0]!)

/** The id that DokuWiki gives a heading. */
export const sectionId = (title: string, options: IdOptions): string => {
  const id = cleanId(title, options).replace(/[:.]/g, '')
  return id.replace(/^[0-9_-]+/, '') || `section${id.replace(/[^0-9]+/g, '')}`
}

/** The namespace of an id; empty at the root. */
export const namespaceOfId = (id: string): string => id.slice(0, Math.max(id.lastIndexOf(':'), 0))

/** The last part of an id. */
export const nameOfId = (id: string): string => id.slice(id.lastIndexOf(':') + 1)

/**
 * The absolute id of a link, not yet cleaned; a `:` at its end stays.
 * @param from id of the page with the link
 */
export const absoluteId = (target: string, from: string, { useSlash }: IdOptions): string => {
  let id = (useSlash ? target.replaceAll('/', ':') : target).replaceAll(';', ':').slice(0, MAX_LENGTH)
  const namespace = namespaceOfId(from)
  if (id.startsWith('~')) id = `${from}:${id.slice(1)}`
  if (id.startsWith('.')) id = `${namespace}:${id.replace(/^((?:\.+:)*\.+)(?=[^:.])/, '$1:')}`
  if (!id.includes(':')) id = `${namespace}:${id}`
  const parts: string[] = []
  for (const part of id.split(':')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join(':') + (id.endsWith(':') ? ':' : '')
}
