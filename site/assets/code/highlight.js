import bash from '../highlightjs/bash.js'
import hljs from '../highlightjs/core.js'
import go from '../highlightjs/go.js'
import javascript from '../highlightjs/javascript.js'
import json from '../highlightjs/json.js'
import python from '../highlightjs/python.js'

const LANGUAGES = { curl: bash, go, javascript, json, python }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Coloring takes time, and nobody reads so much on this page. */
const COLORED_LENGTH_MAX = 200_000

/** Shows code in an element, with colors. @param {string} language a language of the examples, or `json` */
export const showCode = (element, code, language) => {
  if (language in LANGUAGES && code.length <= COLORED_LENGTH_MAX)
    element.innerHTML = hljs.highlight(code, { language }).value
  else element.textContent = code
}
