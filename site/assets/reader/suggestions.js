import { get } from './api.js'
import { element } from './element.js'

/** A pause in typing after which suggestions are requested, milliseconds. */
const PAUSE_MS = 150

/**
 * Suggests titles while somebody types into the search field of a form. A search works without them, so an error is
 * not shown.
 * @param {HTMLFormElement} form with the fields `q` and `locale`
 */
export const suggestTitles = (form) => {
  const list = element('datalist', { id: 'search-suggestions' })
  form.q.after(list)
  form.q.setAttribute('list', list.id)
  let abort = new AbortController()
  let timer
  const request = async () => {
    abort = new AbortController()
    const query = { q: form.q.value.trim(), locale: form.locale.value, limit: '8' }
    const { items } = await get('/suggest', query, abort.signal)
    list.replaceChildren(...items.map(({ title }) => element('option', { value: title })))
  }
  form.q.addEventListener('input', () => {
    clearTimeout(timer)
    abort.abort()
    if (form.q.value.trim() === '') list.replaceChildren()
    else timer = setTimeout(() => request().catch(() => {}), PAUSE_MS)
  })
}
