/* The reference is HTML that the server writes. This script makes its requests editable, sends them, and keeps them in
   the address of the page. It calls the origin that the page came from, whatever the public base URL is, so it works
   behind every proxy. */
import '../code/copy.js'
import '../docs-search.js'
import '../sections/sections.js'
import { markLanguages } from '../code/tabs.js'
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
    const section = matched.find(({ dataset }) => new RegExp(dataset.pattern, 's').test(path))
    return section && operationOf(section)
  },
  announce: (text) => {
    status.textContent = text
  },
}

const sections = [...document.querySelectorAll('.operation')]
/** In the order in which the API matches them. */
const matched = sections.toSorted((a, b) => a.dataset.order - b.dataset.order)

const operations = new Map()

/** Makes elements of a part of a section that the server sends as a text. */
const build = (part) => {
  const section = part.closest('.operation')
  part.outerHTML = part.textContent
  markLanguages(section)
}

/** The operation of a section, with all its parts. */
const operationOf = (section) => {
  if (!operations.has(section)) {
    for (const part of section.querySelectorAll('noscript')) build(part)
    operations.set(section, makeOperation(section, page))
    section.classList.add('ready')
  }
  return operations.get(section)
}

const here = () => location.hash.slice(1)

/** The parameters in the address belong to the endpoint in its fragment alone. */
addEventListener('hashchange', () => {
  const query = edited.get(here()) ?? ''
  if (query !== location.search)
    history.replaceState(null, '', `${location.pathname}${query}${location.hash}`)
})

/** Builds what is above the section of the address: until then, its place is an estimate. */
const arrive = () => {
  const target = document.getElementById(here())
  const above = sections.filter(
    (section) =>
      !section.matches('.ready') &&
      !(target?.compareDocumentPosition(section) & Node.DOCUMENT_POSITION_FOLLOWING),
  )
  if (!target || above.length === 0) return
  above.forEach(operationOf)
  target.scrollIntoView()
}
addEventListener('hashchange', arrive)

const shared = sections.find(({ id }) => id === here())
if (shared && location.search !== '') {
  operationOf(shared).setValues([...new URLSearchParams(location.search)])
  edited.set(shared.id, location.search)
}
arrive()

/** A request that another page has linked: it is filled in where its endpoint is. */
const linked = new URLSearchParams(location.search).get('request')
const asked = linked && !shared ? page.endpointAt(linked) : undefined
if (asked) {
  asked.adopt(linked)
  arrive()
}

const inSight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) operationOf(target)
  },
  { rootMargin: '50%' },
)
for (const section of sections) inSight.observe(section)
addEventListener('beforeprint', () => sections.forEach(operationOf))

/** Parts one after the other, when the browser has time: all at once, they would keep it busy for half a second. */
const buildNext = () => {
  const section = document.querySelector('.operation:not(.ready)')
  if (!section) return
  const [part, another] = section.querySelectorAll('noscript')
  if (another) build(part)
  else operationOf(section)
  // Safari has no idle callbacks.
  const { requestIdleCallback = (callback) => setTimeout(callback, 20) } = window
  requestIdleCallback(buildNext)
}
buildNext()
