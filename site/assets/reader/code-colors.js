import { CODE_LANGUAGES } from './code-languages.js'

/** Longer blocks stay without colors, because they would hold up the page. */
const LENGTH_MAX = 50_000

/** highlight.js, loaded with the first page that has code. */
let loaded
/** Languages that are loaded or being loaded, by name. */
const languages = new Map()

const loadHighlighter = () => {
  loaded ??= import('../highlightjs/core.js').then(({ default: hljs }) => hljs)
  return loaded
}

const loadLanguage = (hljs, name) => {
  if (!languages.has(name)) {
    const module = import(`../highlightjs/${name}.js`)
    languages.set(
      name,
      module.then(({ default: language }) => hljs.registerLanguage(name, language)),
    )
  }
  return languages.get(name)
}

/**
 * Colors the blocks of code whose language is known. The text stays the same. Code without colors is readable, so an
 * error is not shown.
 * @param {Element} root @param {AbortSignal} signal
 */
export const colorCode = async (root, signal) => {
  const blocks = [...root.querySelectorAll('pre > code[class*="language-"]')]
    .map((block) => ({ block, language: languageOf(block) }))
    .filter(({ block, language }) => language && block.textContent.length <= LENGTH_MAX)
  if (blocks.length === 0) return
  try {
    const hljs = await loadHighlighter()
    await Promise.all(blocks.map(({ language }) => loadLanguage(hljs, language)))
    for (const { block, language } of blocks) {
      if (signal.aborted) return
      block.innerHTML = hljs.highlight(block.textContent, { language, ignoreIllegals: true }).value
      // A long page stays responsive between two blocks.
      await new Promise((done) => setTimeout(done))
    }
  } catch (error) {
    console.warn(error)
  }
}

const languageOf = ({ className }) => CODE_LANGUAGES.get(/language-(\S+)/.exec(className)?.[1].toLowerCase())
