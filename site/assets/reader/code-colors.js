import { CODE_LANGUAGES } from './code-languages.js'

/** Longer blocks stay without colors, because they would hold up the page. */
const LENGTH_MAX = 50_000

/** Languages that stand in others. */
const EMBEDDED = { xml: ['javascript', 'css'] }

/** Languages that are loaded or being loaded, by name. */
const languages = new Map()

/** Loads a file of highlight.js, with the first page that needs it. */
const load = async (name) => (await import(new URL(`../highlightjs/${name}.js`, import.meta.url))).default

const loadLanguage = (hljs, name) => {
  if (!languages.has(name))
    languages.set(
      name,
      load(`languages/${name}`).then((language) => hljs.registerLanguage(name, language)),
    )
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
    const hljs = await load('core')
    const needed = blocks.flatMap(({ language }) => [language, ...(EMBEDDED[language] ?? [])])
    await Promise.all(needed.map((name) => loadLanguage(hljs, name)))
    for (const { block, language } of blocks) {
      if (signal.aborted) return
      const marks = marksOf(block)
      block.innerHTML = hljs.highlight(block.textContent, { language, ignoreIllegals: true }).value
      for (const mark of marks) markAgain(block, mark)
      for (const rest of block.querySelectorAll(':empty')) rest.remove()
      // A long page stays responsive between two blocks.
      await new Promise((done) => setTimeout(done))
    }
  } catch (error) {
    console.warn(error)
  }
}

/** The marked lines of a block, with their offsets in its text. */
const marksOf = (block) => {
  let end = 0
  return [...block.childNodes].flatMap(({ localName, textContent }) => {
    const start = end
    end += textContent.length
    return localName ? [{ localName, start, end }] : []
  })
}

const markAgain = (block, { localName, start, end }) => {
  const range = document.createRange()
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  let before = 0
  while (before < end && texts.nextNode()) {
    const node = texts.currentNode
    if (start >= before && start < before + node.length) range.setStart(node, start - before)
    if (end <= before + node.length) range.setEnd(node, end - before)
    before += node.length
  }
  const line = document.createElement(localName)
  line.append(range.extractContents())
  range.insertNode(line)
}

const languageOf = ({ className }) => CODE_LANGUAGES.get(/language-(\S+)/.exec(className)?.[1].toLowerCase())
