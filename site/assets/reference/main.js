/* The reference is HTML that the server writes. This script makes its requests editable, sends them, and keeps them in
   the address of the page. It calls the origin that the page came from, whatever the public base URL is, so it works
   behind every proxy. */
import '../code/copy.js'
import '../code/tabs.js'
import '../docs-search.js'
import '../sections/sections.js'
import { makeOperation } from './operation.js'

const main = document.querySelector('#main')
const status = document.querySelector('#response-status')

let planned
const write = (operation) => {
  clearTimeout(planned)
  const query = new URLSearchParams(operation.values()).toString()
  history.replaceState(null, '', `${location.pathname}${query && `?${query}`}#${operation.id}`)
  edited.set(operation.id, location.search)
}

/** The query of the address for each endpoint whose request was changed or sent. */
const edited = new Map()

const page = {
  base: main.dataset.base,
  api: new URL('api/v1', document.querySelector('.brand').href).href,
  /** Keeps the request of an operation in the address. Browsers limit how often that is possible. */
  store: (operation, { now = false } = {}) => {
    clearTimeout(planned)
    if (now) write(operation)
    else planned = setTimeout(write, 150, operation)
  },
  endpointAt: (target) => {
    const path = target.split('?')[0]
    return operations.find((one) => one.matches(path))
  },
  announce: (text) => {
    status.textContent = text
  },
}

/** In the order in which the API matches them. */
const operations = [...document.querySelectorAll('.operation')]
  .map((section) => makeOperation(section, page))
  .sort((a, b) => a.order - b.order)

const here = () => location.hash.slice(1)

/** The parameters in the address belong to the endpoint in its fragment alone. */
addEventListener('hashchange', () => {
  const query = edited.get(here()) ?? ''
  if (query !== location.search)
    history.replaceState(null, '', `${location.pathname}${query}${location.hash}`)
})

const shared = operations.find(({ id }) => id === here())
if (shared && location.search !== '') {
  shared.setValues([...new URLSearchParams(location.search)])
  edited.set(shared.id, location.search)
}

/** From the first: what is below it has no place of its own yet. */
const layOut = ([section, ...others]) => {
  if (!section) return
  section.classList.add('ready')
  // Safari has no idle callbacks.
  const { requestIdleCallback = (callback) => setTimeout(callback, 20) } = window
  requestIdleCallback(() => layOut(others))
}
addEventListener('load', () => layOut([...document.querySelectorAll('.operation')]))
