/* Search in the guide and the reference, on every page but the reader, whose own field searches the wiki. Both pages
   are read when somebody searches for the first time. `before-paint.js` opens it. */

import { element, withMarks } from './element.js'

const RESULTS_MAX = 12
const EXCERPT_LENGTH = 160
const HINT = `Press / or ${/Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl+K'} on any page to open this search.`

const dialog = document.querySelector('.docs-search')
const input = dialog.querySelector('input')
const list = dialog.querySelector('ul')
const status = dialog.querySelector('[role=status]')

const urlOf = (path) => new URL(path, document.querySelector('.brand').href)

const PAGES = [
  { name: 'Guide', url: urlOf('api/v1/docs/guide'), sectionsOf: (main) => guideSections(main) },
  { name: 'Reference', url: urlOf('api/v1/docs'), sectionsOf: (main) => referenceSections(main) },
]

/** Examples, in which nobody looks for an answer. */
const EXAMPLES = '.example, .example-value, pre'

/** Without examples. Cells and items of lists do not run together. */
const proseOf = (element) => {
  const copy = element.cloneNode(true)
  for (const code of copy.querySelectorAll(EXAMPLES)) code.remove()
  for (const part of copy.querySelectorAll('th, td, li')) part.prepend(' · ')
  for (const block of copy.querySelectorAll('p, h4, summary')) block.append(' ')
  return copy.matches(EXAMPLES) ? '' : copy.textContent
}

const textOf = (elements) =>
  elements
    .map(proseOf)
    .join(' ')
    .replace(/(\s*·)+\s+|\s+/g, (space) => (space.includes('·') ? ' · ' : ' '))
    .replace(/^[ ·]+/, '')
    .trim()

/** What the guide calls otherwise, by the id of the section. */
const OTHER_NAMES = {
  guide: ['authentication', 'authorization', 'api key', 'token', 'login'],
  'changes-as-they-happen': ['sse', 'webhook', 'websocket', 'polling', 'push'],
  'keep-a-copy': ['polling', 'sync', 'export'],
  'keep-a-copy-with-a-client': ['sdk', 'library'],
  'generate-a-client': ['sdk', 'swagger', 'codegen'],
  agents: ['mcp', 'llms.txt', 'ai', 'model context protocol'],
  limits: ['user-agent', 'throttling', 'quota', 'politeness'],
}

/** A heading of the guide, and what follows it until the next one. */
const guideSections = (main) =>
  [...main.querySelectorAll(':is(h1, h2, h3)[id]')].map((heading) => {
    const content = []
    let next = heading.nextElementSibling
    while (next && !/^H[1-3]$/.test(next.tagName)) {
      content.push(next)
      next = next.nextElementSibling
    }
    return {
      id: heading.id,
      title: textOf([heading]),
      text: textOf(content),
      names: OTHER_NAMES[heading.id] ?? [],
    }
  })

/** An endpoint with its path, or another section; without requests and responses. What it defines has names. */
const referenceSections = (main) =>
  [...main.querySelectorAll('section[id]')].map((section) => {
    const [title, ...content] = section.querySelectorAll('.about > *')
    const names = [...section.querySelectorAll('.path code, .parameter .name, .general .name')].map(nameOf)
    return { id: section.id, title: textOf([title]), text: textOf(content), names }
  })

/** As somebody may type it: `GET /pages` as `/pages` or `pages`. */
const nameOf = ({ textContent }) =>
  textContent
    .trim()
    .toLowerCase()
    .replace(/^(?:get )?\//, '')

const read = async ({ name, url, sectionsOf }) => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${name}: status ${response.status}`)
  // A style sheet in it is for its own address, and the policy of this page does not allow it.
  const html = (await response.text()).replace(/<style>.*?<\/style>/s, '')
  const page = new DOMParser().parseFromString(html, 'text/html')
  return sectionsOf(page.querySelector('main')).map((section) => ({
    ...section,
    page: name,
    href: `${url.pathname}#${encodeURIComponent(section.id)}`,
  }))
}

let reading
let isRead = false
/** All sections. After a failure, the next search tries again. */
const sections = () => {
  reading ??= Promise.all(PAGES.map(read)).then((parts) => parts.flat())
  reading.catch(() => {
    reading = undefined
  })
  return reading
}

const wordsOf = (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? []

/** Words that begin with one of these. @param {string[]} words */
const patternOf = (words) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'iu')

/** Whether a word becomes another one by a letter more, less or other, or by two that change places. */
const isTypoOf = (other, word) => {
  let i = 0
  while (i < word.length && word[i] === other[i]) i++
  const [rest, wanted] = [word.slice(i), other.slice(i)]
  const isEqual = (a, b) => rest.slice(a) === wanted.slice(b)
  const isExchanged = rest[0] === wanted[1] && rest[1] === wanted[0] && isEqual(2, 2)
  return isEqual(1, 1) || isEqual(1, 0) || isEqual(0, 1) || isExchanged
}

/** Shorter words are like too many others. */
const TYPO_LENGTH_MIN = 4

const wholeOf = ({ title, text, names }) => `${title} ${text} ${names.join(' ')}`

/** A pattern for each word of a query. One that no section has may be a typo of others. */
const patternsOf = (query, all) => {
  const text = all.map(wholeOf).join(' ')
  return wordsOf(query).map((word) => {
    const pattern = patternOf([word])
    if (word.length < TYPO_LENGTH_MIN || pattern.test(text)) return pattern
    const near = wordsOf(text.toLowerCase()).filter((one) => isTypoOf(one, word.toLowerCase()))
    return near.length > 0 ? patternOf([...new Set(near)]) : pattern
  })
}

/** Sections that have every word; first those that define this name, then those that have the words in the title. */
const find = (all, patterns, query) => {
  const name = nameOf({ textContent: query })
  const found = all.flatMap((section) => {
    const inTitle = patterns.filter((pattern) => pattern.test(section.title)).length
    const isNamed = section.title.toLowerCase() === name || section.names.includes(name)
    const whole = wholeOf(section)
    const hasAll = patterns.every((pattern) => pattern.test(whole))
    return hasAll ? [{ section, isNamed, inTitle }] : []
  })
  return found.sort((a, b) => b.isNamed - a.isNamed || b.inTitle - a.inTitle).map(({ section }) => section)
}

/** The text with the found words marked. */
const marked = (text, patterns) => {
  const words = new RegExp(patterns.map(({ source }) => `${source}[\\p{L}\\p{N}_]*`).join('|'), 'giu')
  const highlights = [...text.matchAll(words)].map(({ 0: word, index }) => [index, index + word.length])
  return withMarks({ text, highlights })
}

/** The text around the first word that is found. */
const excerptOf = (text, patterns) => {
  const places = patterns.map((pattern) => text.search(pattern)).filter((place) => place >= 0)
  const found = places.length === 0 ? 0 : Math.min(...places)
  const start = found < EXCERPT_LENGTH / 2 ? 0 : text.indexOf(' ', found - EXCERPT_LENGTH / 2) + 1
  const end = start + EXCERPT_LENGTH
  if (end >= text.length) return (start > 0 ? '… ' : '') + text.slice(start)
  return `${start > 0 ? '… ' : ''}${text.slice(start, text.lastIndexOf(' ', end)).replace(/ ·$/, '')} …`
}

const itemOf = ({ href, page, title, text }, patterns) => {
  const link = element(
    'a',
    { href },
    element('small', {}, page),
    element('strong', {}, ...marked(title, patterns)),
    element('span', {}, ...marked(excerptOf(text, patterns), patterns)),
  )
  return element('li', {}, link)
}

const outcomeOf = (count, query) => {
  if (count === 0) return `Nothing found for “${query}”. Try fewer or other words.`
  if (count > RESULTS_MAX) return `The first ${RESULTS_MAX} of ${count} sections.`
  return count === 1 ? '1 section.' : `${count} sections.`
}

const search = async () => {
  const query = input.value.trim()
  if (query === '') status.textContent = HINT
  else if (!isRead) status.textContent = 'Loading …'
  try {
    const all = await sections()
    isRead = true
    if (input.value.trim() !== query) return
    const patterns = patternsOf(query, all)
    const found = patterns.length === 0 ? [] : find(all, patterns, query)
    list.replaceChildren(...found.slice(0, RESULTS_MAX).map((section) => itemOf(section, patterns)))
    status.textContent = query === '' ? HINT : outcomeOf(found.length, query)
  } catch (error) {
    list.replaceChildren()
    status.textContent = `The documentation could not be read: ${error.message}. Type again to retry.`
  }
}

const STEPS = { ArrowDown: 1, ArrowUp: -1 }

/** Arrow keys lead from the field through the results, and back. */
const step = (event) => {
  const stops = [input, ...list.querySelectorAll('a')]
  const next = stops[stops.indexOf(document.activeElement) + STEPS[event.key]]
  if (!next) return
  event.preventDefault()
  next.focus()
}

document.querySelector('.find').addEventListener('pointerenter', sections)
for (const event of ['focus', 'input']) input.addEventListener(event, search)
dialog.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
dialog.addEventListener('keydown', (event) => {
  if (event.key in STEPS) step(event)
})
dialog.addEventListener('click', ({ target }) => {
  // The dialog itself is clicked only beside its content.
  if (target === dialog || target.closest('a, .close')) dialog.close()
})

// Somebody has opened it before.
if (dialog.open) search()
