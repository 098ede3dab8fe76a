import { breakable } from '../code/lines.js'
import { element, heading, headingText } from '../element.js'
import { get } from './api.js'
import { copyButton } from './copy.js'
import { withoutHeading } from './headings.js'
import { inLanguage, isMixed } from './language.js'
import { enlargeable } from './pictures.js'
import { makeTabs } from './tabs.js'
import { linkTags } from './tags.js'
import { targetOfWikiUrl, urlOf } from './view-targets.js'
import { fileSizeText, say } from './words.js'

/** Cells of so few characters have one line, so that no number loses its unit: “100 °C”. */
const SHORT_CELL = 16
/** Cells of more characters keep a width in which they can be read. */
const LONG_CELL = 60
/** Of so many targets that are no pages, the reader asks whether they are folders. */
const FOLDERS_MAX = 20
/** Of so many, it asks whether they have moved, in requests with so many encoded characters: the API refuses longer URLs. */
const MOVED_MAX = 50
const REQUEST_CHARACTERS = 8_000

/** Written as pictures, they are played. */
const RECORDING = /\.(mp3|og[ga]|wav|mp4|ogv|webm)$/i

const parsed = (html) => new DOMParser().parseFromString(html, 'text/html').body

/**
 * The heading of a page, its article, and whether that has no text.
 * @param {string} html of the API, which has sanitized it. The Content-Security-Policy of this page stops all scripts.
 * @param {{ title: string, path?: string, locale?: string, locales: { locale: string, url: string }[],
 *   links?: { url: string, exists: boolean }[], categories?: { key: string, name: string }[] }} page
 * @param {Element} [written] the article if the service has written it: `completeArticle` is then for the caller
 */
export const articleOf = (html, page, written) => {
  const { title, locale } = page
  const { heading: own, id, body } = withoutHeading(title, html)
  const text = own === undefined ? title : parsed(own).textContent
  const h1 = heading(text, { ...inLanguage(locale, text), ...(id && { id: parsed(id).textContent }) })
  const isEmpty = body.trim() === ''
  if (written) return { h1, article: written, isEmpty }
  const article = element('article', inLanguage(locale), ...parsed(body).childNodes)
  if (isEmpty) article.append(element('p', { class: 'quiet' }, say('This page has no text.')))
  completeArticle(article, page)
  if (isMixed(body, locale)) for (const block of article.children) block.dir ||= 'auto'
  return { h1, article, isEmpty }
}

/**
 * Adds to an article what the HTML of the API does not have. Links to pages of the wiki open them in the reader, links
 * to sections of the page stay on it. Headings have a link to themselves. Links to pages that do not exist are told apart.
 * Tags are links to their categories.
 */
export const completeArticle = (body, { path, locale, locales, links = [], categories = [] }) => {
  const unwritten = new Set(links.flatMap(({ url, exists }) => (exists ? [] : [url])))
  const marked = new Map()
  for (const link of body.querySelectorAll('a[href]')) {
    const mayBeWiki = link.protocol.startsWith('http') && link.rel !== 'external'
    const wikiLink = mayBeWiki ? targetOfWikiUrl(link.href, locales) : undefined
    if (!wikiLink) continue
    // A category has pages, whether somebody described it or not.
    const isMissing = link.className === 'unwritten' || unwritten.has(link.href.replace(/#.*/, ''))
    const isUnwritten = wikiLink.target.view === 'page' && isMissing
    link.classList.toggle('unwritten', isUnwritten)
    const { target, hash } = wikiLink
    if (isUnwritten) {
      link.title ||= say('There is no such page')
      marked.set(urlOf(target), { target, all: [...(marked.get(urlOf(target))?.all ?? []), link] })
    }
    const isHere = hash !== '' && target.path === path && target.locale === locale
    link.href = isHere ? hash : urlOf(target) + hash
  }
  for (const image of body.querySelectorAll('img')) {
    const [, kind] = RECORDING.exec(image.src) ?? []
    if (kind) {
      const attributes = { src: image.src, controls: true, 'aria-label': image.alt }
      image.replaceWith(element(/^(?:mp3|og[ga]|wav)$/i.test(kind) ? 'audio' : 'video', attributes))
      continue
    }
    const failed = () => {
      const text = image.alt || say('Image not available')
      image.replaceWith(element('span', { class: isAlone(image) ? 'missing block' : 'missing' }, text))
    }
    const loaded = () => {
      image.classList.remove('reserved')
      enlargeable(image)
    }
    image.addEventListener('error', failed)
    image.addEventListener('load', loaded)
    // That of an article which the service has written can have its events behind it.
    if (image.complete) image.decode().then(loaded, failed)
  }
  for (const table of body.querySelectorAll('table')) boxed(boxed(table, 'scroller'), 'table')
  for (const code of body.querySelectorAll('pre > code')) {
    for (const part of code.querySelectorAll(':scope > :is(mark, ins, del)'))
      part.replaceWith(...part.textContent.match(LINES).map((line) => element(part.localName, {}, line)))
    const [, language] = /\blanguage-(\S+)/.exec(code.className) ?? []
    const box = boxed(code.parentElement, 'code')
    if (language) box.dataset.language = language
    box.append(copyButton(say('Copy'), () => newCode(code)))
  }
  for (const code of body.querySelectorAll(':not(pre, td, th) > code'))
    if (code.childElementCount === 0) breakable(code)
  for (const corner of body.querySelectorAll('th:empty')) corner.replaceWith(element('td'))
  for (const cell of body.querySelectorAll('th, td')) {
    const { length } = cell.textContent.trim()
    cell.classList.toggle('short', length <= SHORT_CELL)
    cell.classList.toggle('long', length > LONG_CELL)
  }
  for (const box of body.querySelectorAll('li input[type="checkbox"]')) {
    box.setAttribute('aria-label', say(box.checked ? 'done' : 'to do'))
  }
  linkTags(body, categories, locale)
  makeTabs(body)
  addAnchors(body)
  showElsewhere([...marked.values()], locale)
  showDocuments(body, path, locale)
}

/** The address of a file of the wiki. */
const DOCUMENT = /\/media\/[0-9a-f]{64}\/[^/?#]*\.(\w+)(?=$|[?#])/

/**
 * A link to a file that is alone in its paragraph or item has the kind and size of the file. In a paragraph, a PDF of this
 * server opens below, if the browser shows such files.
 */
const showDocuments = async (body, path, locale) => {
  const links = [...body.querySelectorAll(':is(p, li) > a[href]:only-child')].filter(
    (link) => DOCUMENT.test(link.href) && link.textContent.trim() === link.parentElement.textContent.trim(),
  )
  if (links.length === 0 || path === undefined) return
  const { items } = await get('/pages', { locale, path: [path], include: 'files' }).catch(() => NONE)
  const sizes = new Map(items.flatMap(({ files = [] }) => files.map(({ url, bytes }) => [url, bytes])))
  for (const link of links) {
    const kind = DOCUMENT.exec(link.href)[1].toUpperCase()
    const size = sizes.get(link.href.replace(/#.*/, ''))
    const about = element('small', {}, size === undefined ? kind : `${kind} · ${fileSizeText(size)}`)
    const parent = link.parentElement
    const isShown = kind === 'PDF' && navigator.pdfViewerEnabled && link.origin === location.origin
    if (isShown && parent.localName === 'p') {
      const title = link.textContent
      const open = ({ target }) => target.append(element('iframe', { title, src: link.href }))
      const box = element('details', { class: 'document' })
      box.addEventListener('toggle', open, { once: true })
      parent.replaceWith(box)
      box.append(element('summary', {}, element('span', {}, title, ' ', about)), parent)
    } else link.after(' ', about)
  }
}

/** Links to a former path of a page lead to the page, those to a folder without a page to the list of what is in it. */
const showElsewhere = async (marked, locale) => {
  const asked = marked.filter(({ target }) => target.locale === locale).slice(0, MOVED_MAX)
  const requests = inRequests(asked.map(({ target }) => target.path))
  const answers = await Promise.all(requests.map((path) => get('/pages', { locale, path }).catch(() => NONE)))
  const moved = new Map(answers.flatMap(({ items }) => items).map((item) => [item.path, item.moved_to]))
  const isMoved = ({ target }) => target.locale === locale && moved.get(target.path)
  for (const one of marked.filter(isMoved)) unmark(one.all, isMoved(one))
  const rest = marked.filter((one) => !isMoved(one)).slice(0, FOLDERS_MAX)
  for (const { target, all } of rest) {
    const pages = get('/pages', { locale: target.locale, prefix: `${target.path}/`, limit: '1' })
    pages.catch(() => NONE).then(({ items }) => items.length > 0 && unmark(all))
  }
}

/** Paths, by the request that has room for them. */
const inRequests = (paths) => {
  const requests = []
  let room = 0
  for (const path of paths) {
    const { length } = `&${new URLSearchParams({ path })}`
    if (length > room) {
      requests.push([])
      room = REQUEST_CHARACTERS
    }
    requests.at(-1).push(path)
    room -= length
  }
  return requests
}

const NONE = { items: [] }

/** @param {{ path: string, locale: string }} [page] to which the links lead */
const unmark = (links, page) => {
  for (const link of links) {
    link.classList.remove('unwritten')
    if (link.title === say('There is no such page')) link.removeAttribute('title')
    if (page) link.href = urlOf({ view: 'page', ...page }) + link.hash
  }
}

/** The box of an element, which the service may have written. */
const boxed = (content, className) => {
  if (content.parentElement.className === className) return content.parentElement
  const box = element('div', { class: className })
  content.replaceWith(box)
  box.append(content)
  return box
}

const LINES = /.*\n|.+$/g

/** Code without the lines that are removed in it. */
const newCode = (code) => {
  const copy = code.cloneNode(true)
  for (const removed of copy.querySelectorAll('del')) removed.remove()
  return copy.textContent
}

/** Beside the heading, so that it is no part of its name. */
const addAnchors = (body) => {
  for (const heading of body.querySelectorAll(':is(h2, h3, h4, h5, h6)[id]')) {
    const anchor = element(
      'a',
      {
        class: 'anchor',
        href: `#${encodeURIComponent(heading.id)}`,
        'aria-label': say('Link to the section “{0}”', headingText(heading)),
      },
      '#',
    )
    boxed(heading, `heading ${heading.localName}`).append(anchor)
  }
}

/** Images at the beginning of a page, whose size moves what one reads. */
const FIRST_IMAGES = 6

/** Elements whose content begins a line. */
const BLOCKS = 'p, li, dd, td, th, figure, blockquote, details, div, section, article'

/** Whether a picture is all that is in its block, as a badge in a row of badges or in a sentence is not. */
const isAlone = (image) => {
  const block = image.closest(BLOCKS)
  return block?.textContent.trim() === '' && block.querySelectorAll('img').length === 1
}

const hasSize = (image) => image.hasAttribute('width') && image.hasAttribute('height')

/**
 * Waits for the first images of a page whose size a browser does not know before, as that of pictures of other sites. An
 * image that takes longer gets a box of a fixed size until it is there, if it is alone in its block. Other images load when
 * they come into sight.
 * @param {Element[]} nodes @param {number} ms how long at most, milliseconds
 */
export const settleImages = async (nodes, ms) => {
  const images = nodes.flatMap((node) => [...node.querySelectorAll('img')])
  for (const image of images.slice(FIRST_IMAGES)) image.loading = 'lazy'
  const waited = images.slice(0, FIRST_IMAGES).filter((image) => !image.complete && !hasSize(image))
  if (waited.length === 0) return
  const settled = waited.map(
    (image) =>
      new Promise((done) => {
        image.loading = 'eager'
        image.addEventListener('load', done)
        image.addEventListener('error', done)
      }),
  )
  await Promise.race([Promise.all(settled), new Promise((done) => setTimeout(done, ms))])
  for (const image of waited) if (!image.complete && isAlone(image)) image.classList.add('reserved')
}
