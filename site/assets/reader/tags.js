import { linkTo } from './links.js'

/** A tag in a text, as notes have them: letters, digits, emoji, `_` and `-`, with `/` before a nested one. */
const TAG = /(?<![^\s\p{P}]|[#&/_-])#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]+)/gu

/** Text that stays as it is. */
const FIXED = 'a, code, pre, button, summary, math'

/**
 * Makes links of the tags in a text that are categories of its page.
 * @param {Element} body @param {{ key: string, name: string }[]} categories
 */
export const linkTags = (body, categories, locale) => {
  const byName = new Map(categories.map(({ key, name }) => [name.toLowerCase(), key]))
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    if (!text.data.includes('#') || text.parentElement.closest(FIXED)) continue
    for (const { 0: tag, 1: name, index } of [...text.data.matchAll(TAG)].reverse()) {
      const key = byName.get(name.toLowerCase())
      if (key === undefined) continue
      const rest = text.splitText(index)
      rest.splitText(tag.length)
      rest.replaceWith(linkTo({ view: 'category', key, locale }, tag))
    }
  }
}
