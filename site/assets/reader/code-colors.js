/** Longer blocks stay without colors, because they would hold up the page. */
const LENGTH_MAX = 50_000

let highlighter

/** highlight.js with its common languages: it loads with the first page that has code. */
const loadHighlighter = () => {
  highlighter ??= import('../highlight.min.js').then(({ default: hljs }) => hljs)
  return highlighter
}

/**
 * Colors the blocks of code whose language is known. The text stays the same. Code without colors is readable, so an
 * error is not shown.
 * @param {Element} root @param {AbortSignal} signal
 */
export const colorCode = async (root, signal) => {
  const blocks = [...root.querySelectorAll('pre > code[class*="language-"]')].filter(
    ({ textContent }) => textContent.length <= LENGTH_MAX,
  )
  if (blocks.length === 0) return
  const hljs = await loadHighlighter().catch(() => undefined)
  for (const block of hljs ? blocks : []) {
    const language = /language-(\S+)/.exec(block.className)?.[1].toLowerCase()
    if (!hljs.getLanguage(language)) continue
    block.innerHTML = hljs.highlight(block.textContent, { language, ignoreIllegals: true }).value
    // A long page stays responsive between two blocks.
    await new Promise((done) => setTimeout(done))
    if (signal.aborted) return
  }
}
