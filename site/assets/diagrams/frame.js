/* Draws diagrams in a frame of its own, which has neither the origin nor the policy of the reader: see `reader/diagrams.js`. */

const { mermaid } = globalThis
let count = 0

/** The drawing as an image: well-formed XML with its size. */
const imageOf = (markup) => {
  const box = document.createElement('div')
  box.innerHTML = markup
  const svg = box.firstElementChild
  const [, , width, height] = svg.getAttribute('viewBox').split(/[ ,]+/)
  svg.removeAttribute('style')
  svg.setAttribute('width', Math.ceil(width))
  svg.setAttribute('height', Math.ceil(height))
  const textOf = (name) => svg.querySelector(`:scope > ${name}`)?.textContent ?? ''
  return { svg: new XMLSerializer().serializeToString(svg), alt: textOf('title') || textOf('desc') }
}

addEventListener('message', async ({ data, ports: [port] }) => {
  if (!port) return
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      // In an image, not all browsers draw HTML.
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      fontFamily: 'system-ui, sans-serif',
      theme: data.theme,
    })
    port.postMessage(imageOf((await mermaid.render(`diagram-${++count}`, data.code)).svg))
  } catch (error) {
    port.postMessage({ error: String(error?.message ?? error) })
  }
})
