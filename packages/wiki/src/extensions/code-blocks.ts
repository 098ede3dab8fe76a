import { decodeHTML, escapeUTF8 } from 'entities'
import { MARKED_LINES, readInfo } from '../dialects/lines.ts'

/** The HTML of a code block, whose marked lines are in `<mark>`, added ones in `<ins>`, and removed ones in `<del>`. (D124) */
export const codeHtml = (text: string, info: string): string => {
  const { language } = readInfo(decodeHTML(info))
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const tags: string[] = []
  for (const [, kind = 'mark=', inBraces, others] of info.matchAll(MARKED_LINES))
    for (const [, first, last = first] of (inBraces ?? others)!.matchAll(/(\d+)(?:-(\d+))?/g))
      for (let n = Number(first) || 1; n <= Math.min(Number(last), lines.length); n++)
        tags[n] = kind.slice(0, -1)
  const html = lines.map((line, i) => {
    const [before, tag, after] = tags.slice(i, i + 3)
    const start = tag && tag !== before ? `<${tag}>` : ''
    return `${start}${escapeUTF8(line)}\n${tag && tag !== after ? `</${tag}>` : ''}`
  })
  const name = language === '' ? '' : ` class="language-${escapeUTF8(language)}"`
  return `<pre><code${name}>${html.join('')}</code></pre>\n`
}
