import { element } from '../element.js'
import { enlargeable } from './pictures.js'
import { say } from './words.js'

/** How near the view a diagram is when the first one loads what draws it. */
const NEAR = '1000px'
/** A diagram that takes longer ends its frame, so that the next ones get another. */
const LONGEST_MS = 20_000

const darkScheme = matchMedia('(prefers-color-scheme: dark)')

/** The theme of the page, as mermaid calls it. */
const themeNow = () => {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme !== 'light' && darkScheme.matches) ? 'dark' : 'default'
}

let frame

/**
 * The frame that draws. Diagrams are written by anybody: what draws them has no access to the page, and the page shows only
 * an image of the result, in which nothing runs or loads.
 */
const openFrame = () => {
  frame ??= new Promise((done) => {
    const src = new URL('../diagrams/frame.html', import.meta.url).href
    const attributes = { sandbox: 'allow-scripts', class: 'drawing', title: say('Diagram'), src }
    const onload = ({ target }) => done(target.contentWindow)
    document.body.append(element('iframe', { ...attributes, onload }))
  })
  return frame
}

/**
 * A diagram as an image, whose text is that of its author.
 * @throws Error if mermaid does not understand the code, or what it draws is no valid image
 */
const draw = async (code, theme) => {
  const target = await openFrame()
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise((done) => {
    port1.onmessage = ({ data }) => done(data)
    setTimeout(done, LONGEST_MS, { error: 'It takes too long', isLate: true })
  })
  target.postMessage({ code, theme }, '*', [port2])
  const { svg, alt, error, isLate } = await answer
  port1.close()
  if (isLate) {
    frame = undefined
    document.querySelector('iframe.drawing')?.remove()
  }
  if (error !== undefined) throw new Error(error)
  const src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  const image = element('img', { class: 'diagram', alt: alt || say('Diagram'), src, 'data-theme': theme })
  await image.decode()
  return image
}

/** Shows a diagram above its code, which a button opens. If it cannot be drawn, the code stays as it is. */
const showDiagram = async (code, theme, signal) => {
  const box = code.closest('.code')
  const image = await draw(code.textContent, theme).catch(() => undefined)
  if (!image || signal.aborted || theme !== themeNow() || !box) return
  const old = box.querySelector('.diagram')
  if (old) (old.closest('a') ?? old).replaceWith(image)
  else {
    box.prepend(image)
    box.classList.add('drawn')
    const toggle = ({ currentTarget }) =>
      currentTarget.setAttribute('aria-pressed', String(box.classList.toggle('open')))
    const button = { type: 'button', class: 'quiet-button', 'aria-pressed': 'false', onclick: toggle }
    box.append(element('button', button, say('Code')))
  }
  enlargeable(image)
}

/**
 * Draws the blocks of code in the language mermaid in the theme of the page, when the first of them comes near the view.
 * @param {Element} root @param {AbortSignal} signal
 */
export const drawDiagrams = (root, signal) => {
  const blocks = [...root.querySelectorAll('.code > pre > code.language-mermaid')]
  if (blocks.length === 0) return
  const drawAll = async () => {
    const theme = themeNow()
    for (const block of blocks)
      if (!signal.aborted && theme === themeNow()) await showDiagram(block, theme, signal)
  }
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      near.disconnect()
      drawAll()
      darkScheme.addEventListener('change', drawAll, { signal })
      themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    },
    { rootMargin: NEAR },
  )
  const themes = new MutationObserver(drawAll)
  for (const block of blocks) near.observe(block)
  signal.addEventListener('abort', () => {
    near.disconnect()
    themes.disconnect()
  })
}
