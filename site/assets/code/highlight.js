import hljs from '@highlightjs/cdn-assets/es/core.min.js'
import bash from '@highlightjs/cdn-assets/es/languages/bash.min.js'
import go from '@highlightjs/cdn-assets/es/languages/go.min.js'
import javascript from '@highlightjs/cdn-assets/es/languages/javascript.min.js'
import json from '@highlightjs/cdn-assets/es/languages/json.min.js'
import python from '@highlightjs/cdn-assets/es/languages/python.min.js'
import { breakable, inLines } from './lines.js'

const LANGUAGES = { curl: bash, go, javascript, json, python }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Coloring takes time, and so do lines. Nobody reads so much on this page. */
const COLORED_LENGTH_MAX = 200_000
const IN_LINES_LENGTH_MAX = 2_000_000

/** Shows code in an element, with colors. @param {string} language a language of the examples, or `json` */
export const showCode = (element, code, language) => {
  if (language in LANGUAGES && code.length <= COLORED_LENGTH_MAX) {
    element.innerHTML = inLines(hljs.highlight(code, { language }).value)
    return
  }
  element.textContent = code
  if (code.length > IN_LINES_LENGTH_MAX) return
  if (language in LANGUAGES) element.innerHTML = inLines(element.innerHTML)
  else breakable(element)
}
