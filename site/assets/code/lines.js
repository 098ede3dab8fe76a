const TAG = /<(?:span[^>]*|\/span)>/g
const TAG_OR_BREAK = /<[^>]*>|(?<=\/)(?=[\p{L}\p{N}_%])|(?=(?:\?|&amp;)[\p{L}\p{N}_%])/gu

/** Code in which lines can break between the parts of a URL: after `/`, before `?` and `&`. The text is the same. @param {string} html */
export const withBreaks = (html) => html.replace(TAG_OR_BREAK, (part) => part || '<wbr>')

/** The same for the code in an element. @template {Element} E @param {E} code @returns {E} */
export const breakable = (code) => {
  code.innerHTML = withBreaks(code.innerHTML)
  return code
}

/** It has no color, and is a tenth of all elements of the reference. */
const PUNCTUATION = /<span class="hljs-punctuation">([^<]*)<\/span>/g

/**
 * Each line of colored code as an element, in one for each level of its indent, so that what wraps stays right of the
 * indent. The text is the same. The server runs this module as well.
 * @param {string} html code with a `span` for each token, which can contain several lines
 */
export const inLines = (html) => {
  const tokens = []
  let level = 0
  const lines = html
    .replace(PUNCTUATION, '$1')
    .split(/(?<=\n)/)
    .map((line) => {
      const [indent] = /^[ \t]*/.exec(line)
      const before = level
      if (line.trim() !== '') level = indent.replaceAll('\t', '    ').length >> 1
      const levels =
        level > before ? '<span class="deeper">'.repeat(level - before) : '</span>'.repeat(before - level)
      const start = tokens.join('')
      for (const [tag] of line.matchAll(TAG)) {
        if (tag === '</span>') tokens.pop()
        else tokens.push(tag)
      }
      const rest = start + line.slice(indent.length) + '</span>'.repeat(tokens.length)
      return `${levels}<span class="code-line">${indent && `<span class="indent">${indent}</span>`}${rest}</span>`
    })
  return withBreaks(lines.join('')) + '</span>'.repeat(level)
}
