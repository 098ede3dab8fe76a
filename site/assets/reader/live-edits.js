import { element } from '../element.js'
import { apiUrl } from './api.js'
import { say } from './words.js'

/** Milliseconds in which changes are collected, and shown at once. */
const TOGETHER_MS = 1000
const ROWS_MAX = 20

/**
 * Puts new edits at the top of a list while the page is visible. Without a stream, the list stays as it is.
 * @param {HTMLElement} list of edits, newest first; each row has a `time`
 * @param {string} after cursor from which the changes count
 * @param {{ locale: string, signal: AbortSignal, row: (edit: object) => HTMLElement }} options
 * @returns {HTMLElement} where screen readers learn how many edits came
 */
export const followEdits = (list, after, { locale, signal, row }) => {
  const told = element('p', { class: 'unseen', 'aria-live': 'polite' })
  let cursor = after
  let source
  let waiting = new Map()
  const show = () => {
    const newest = list.querySelector('time')?.dateTime ?? ''
    // A page also changes when its translations or categories do.
    const edits = [...waiting.values()].filter(({ created_at }) => created_at > newest)
    waiting = new Map()
    if (edits.length === 0) return
    edits.sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
    list.prepend(...edits.map(row))
    for (const old of [...list.children].slice(ROWS_MAX))
      if (!old.contains(document.activeElement)) old.remove()
    told.textContent = say('New edits: {0}', edits.length)
  }
  const take = ({ data, lastEventId }) => {
    cursor = lastEventId
    const { revision, ...page } = JSON.parse(data)
    if (waiting.size === 0) setTimeout(show, TOGETHER_MS)
    waiting.set(page.path, { ...revision, page })
  }
  const follow = () => {
    source?.close()
    if (document.hidden || signal.aborted) return
    source = new EventSource(apiUrl('/changes', { locale, after: cursor }))
    source.addEventListener('upsert', take)
  }
  document.addEventListener('visibilitychange', follow, { signal })
  signal.addEventListener('abort', follow)
  follow()
  return told
}
