import { showCode } from './highlight.js'
import { formatJson } from './json.js'
import { select } from './tabs.js'

const kilobytes = (bytes) => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`)

/** JSON on several lines; other text as it is. */
const readable = (text, type) => {
  if (!type.startsWith('application/json')) return { code: text, language: 'text' }
  return { code: formatJson(JSON.parse(text)), language: 'json' }
}

/** What went wrong, if there is no response. A browser has no words for it that one understands. */
const failureText = (error) => {
  if (!(error instanceof TypeError)) return `The response cannot be read: ${error.message}`
  return navigator.onLine
    ? 'The service does not respond. Try again in a moment.'
    : 'This device is offline. Send the request again when the connection is back.'
}

/** Names of headers as they are usually written. */
const headerLines = (headers) =>
  [...headers]
    .map(([name, value]) => `${name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())}: ${value}`)
    .join('\n')
    .replace(/^Etag:/m, 'ETag:')

/**
 * A box that shows the response to a request.
 * @param {Element} box as the server writes it
 */
export const makeAnswer = (box) => {
  const [bodyTab, headersTab] = box.querySelectorAll('[role=tab]')
  const [body, headersPart] = box.querySelectorAll('pre')
  const status = box.querySelector('.status')
  let running = new AbortController()
  let sent

  /** Marks the response if it is that of another request. @returns whether it is */
  const compare = (url) => box.toggleAttribute('data-stale', sent !== undefined && sent !== url)

  const showStatus = (code, detail) => {
    box.dataset.outcome = code >= 200 && code < 400 ? 'success' : 'failure'
    const strong = document.createElement('strong')
    strong.textContent = code === 0 ? 'No response' : code
    status.replaceChildren(strong, ` ${detail}`)
  }

  /** @returns {Promise<object | undefined>} the body of a JSON response, unless another request came meanwhile */
  const send = async (url, { headers = {}, part = 'body' } = {}) => {
    running.abort()
    sent = url
    compare(url)
    running = new AbortController()
    const { signal } = running
    box.setAttribute('aria-busy', 'true')
    delete box.dataset.outcome
    status.textContent = 'Sending …'
    const startedAt = performance.now()
    try {
      const response = await fetch(url, { signal, headers, cache: 'no-store' })
      const ms = Math.round(performance.now() - startedAt)
      const bytes = await response.arrayBuffer()
      const text = new TextDecoder().decode(bytes)
      const { code, language } = readable(text, response.headers.get('Content-Type') ?? '')
      showCode(body.firstElementChild, code, language)
      showCode(headersPart.firstElementChild, headerLines(response.headers), 'text')
      showStatus(response.status, `${response.statusText} · ${ms} ms · ${kilobytes(bytes.byteLength)}`)
      select(part === 'headers' ? headersTab : bodyTab)
      body.scrollTop = 0
      return language === 'json'
        ? { status: response.status, json: JSON.parse(text) }
        : { status: response.status }
    } catch (error) {
      if (signal.aborted) return undefined
      showStatus(0, '')
      showCode(body.firstElementChild, failureText(error), 'text')
      showCode(headersPart.firstElementChild, '', 'text')
      select(bodyTab)
      return { status: 0 }
    } finally {
      if (!signal.aborted) box.removeAttribute('aria-busy')
    }
  }
  return { send, compare }
}
