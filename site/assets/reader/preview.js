import { element, headingText } from '../element.js'
import { get } from './api.js'
import { inLanguage } from './language.js'
import { readPage } from './main-page.js'
import { isViewLink, targetOf } from './view-targets.js'

/** How long the pointer or the focus rests on a link before its card opens, and how long the card stays without them, milliseconds. */
const REST_MS = 300
/** A larger picture is not loaded for a card. */
const IMAGE_BYTES = 500_000
/** Between the link and its card, and the edge of the window and the card, CSS pixels. */
const GAP = { link: 4, window: 12 }

/** Pages and sections that links lead to, by language, path and id, until the document is left. */
const known = new Map()

/** What a list tells of a page, and the text of the section, if there is one: what is missing is no error. @param {string} id of a section, or empty */
const readPreview = async ({ path, locale }, id, signal) => {
  const key = `${locale} ${path}#${id}`
  if (!known.has(key)) {
    const include = id === '' ? 'summary,files' : 'summary,files,sections'
    const page = (await get('/pages', { locale, path, include }, signal)).items[0]
    const section = id !== '' && page?.sections.find((one) => one.id === id)
    const about = section ? { ...page, ...(await readSection(page, section, signal)) } : page
    known.set(key, about && { ...about, lines: await readLines(about, section && id, signal) })
  }
  return known.get(key)
}

const readSection = async ({ path, locale }, { id, title }, signal) => {
  const query = { locale, section: id, format: 'text' }
  const { text } = await get(`/pages/${encodeURIComponent(path)}`, query, signal)
  return { title, summary: text.replace(/^.*\n+/, ''), files: [] }
}

/** A card shows no more lines. */
const LINES_MAX = 12

/**
 * What a card shows of a summary: the lines with formulas, code and emphasis, where a paragraph of the page has the same text.
 * @param {string | false} id of the section
 */
const readLines = async ({ path, locale, summary }, id, signal) => {
  // Somebody who opens the page then has it.
  const read = id
    ? get(`/pages/${encodeURIComponent(path)}`, { locale, section: id, format: 'html' }, signal)
    : readPage(path, locale, signal)
  const page = await read.catch((error) => {
    if (signal.aborted) throw error
    return { html: '' }
  })
  const { body } = new DOMParser().parseFromString(page.html, 'text/html')
  for (const left of body.querySelectorAll('img, sup:has(> a[href*="#fn:"])')) left.remove()
  for (const link of body.querySelectorAll('a')) link.replaceWith(...link.childNodes)
  for (const named of body.querySelectorAll('[id]')) named.removeAttribute('id')
  const paragraphs = new Map()
  for (const one of body.querySelectorAll('p, li')) paragraphs.set(headingText(one).replace(/\s+/g, ' '), one)
  const lines = summary.trim().split('\n', LINES_MAX)
  return lines.flatMap((line) => [element('br'), ...(paragraphs.get(line)?.childNodes ?? [line])])
}

/** Links to the page that is shown, and to what is no page, have no card. */
const hasPreview = (link) =>
  isViewLink(link) &&
  !link.matches('.unwritten') &&
  link.pathname + link.search !== location.pathname + location.search &&
  targetOf(new URL(link.href)).view === 'page'

const cardOf = ({ title, locale, summary, lines, files }) => {
  const image = files.find((file) => file.media_type.startsWith('image/') && file.bytes <= IMAGE_BYTES)
  const picture = image && element('img', { src: image.url, alt: '', onerror: () => picture.remove() })
  const about = element(
    'div',
    {},
    element('strong', inLanguage(locale, title), title),
    element('p', inLanguage(locale, summary), ...lines.slice(1)),
  )
  const attributes = { class: 'preview', id: 'preview', role: 'tooltip', popover: 'manual' }
  return element('div', attributes, about, ...(picture ? [picture] : []))
}

/** Puts a card below the line of a link where the pointer is, or above it if there is more room. @param {number} [x] of the pointer */
const place = (card, link, x) => {
  const { clientWidth: width, clientHeight: height, dir } = document.documentElement
  const lines = [...link.getClientRects()]
  const line = lines.find(({ left, right }) => x >= left && x <= right) ?? lines[0]
  const start = dir === 'rtl' ? line.right - card.offsetWidth : line.left
  const left = Math.max(GAP.window, Math.min(start, width - card.offsetWidth - GAP.window))
  const isBelow = line.bottom + GAP.link + card.offsetHeight <= height || line.top < height - line.bottom
  const top = isBelow ? line.bottom + GAP.link : line.top - GAP.link - card.offsetHeight
  Object.assign(card.style, { left: `${left}px`, top: `${top}px` })
}

/**
 * Shows what a page is about while the pointer, or the focus of the keyboard, rests on a link to it in an article. The
 * pointer can move to the card, which stays until it leaves both, or until Escape (WCAG 1.4.13).
 * @param {Element} main @param {AbortSignal} signal until when
 */
export const previewLinks = (main, signal) => {
  let link
  let card
  let timer
  let request = new AbortController()

  /** Until the pointer or the focus comes back, the link has no card any more. */
  const dismiss = () => {
    clearTimeout(timer)
    request.abort()
    link?.removeAttribute('aria-describedby')
    card?.remove()
    card = undefined
  }
  const close = () => {
    dismiss()
    link = undefined
  }
  const open = async (x) => {
    request = new AbortController()
    const { signal } = request
    const url = new URL(link.href)
    const page = await readPreview(targetOf(url), decodeURIComponent(url.hash.slice(1)), signal)
    if (signal.aborted || !page?.summary?.trim()) return
    card = cardOf(page)
    main.append(card)
    card.showPopover()
    place(card, link, x)
    link.setAttribute('aria-describedby', card.id)
  }
  const enter = (found, x) => {
    if (!found || found === link || !hasPreview(found)) return
    close()
    link = found
    // A card is no more than help: its errors are not shown.
    timer = setTimeout(() => open(x).catch(() => {}), REST_MS)
  }
  const isWithin = (node) => link?.contains(node) || card?.contains(node)
  const linkAt = (node) => node.closest?.('article a[href]')

  const on = (name, listener, options) =>
    document.addEventListener(name, listener, { signal, passive: true, ...options })
  // Not `pointerover`: it also happens where a new view comes under a pointer that nobody moves.
  on('pointermove', ({ target, pointerType, clientX }) => {
    if (pointerType === 'touch') return
    if (card && isWithin(target)) clearTimeout(timer)
    else enter(linkAt(target), clientX)
  })
  on('pointerout', ({ target, relatedTarget }) => {
    if (!isWithin(target) || isWithin(relatedTarget) || link.matches(':focus-visible')) return
    if (!card) return close()
    clearTimeout(timer)
    timer = setTimeout(close, REST_MS)
  })
  on('focusin', ({ target }) => target.matches(':focus-visible') && enter(linkAt(target)))
  on('focusout', ({ target }) => target === link && close())
  on('keydown', ({ key }) => key === 'Escape' && dismiss())
  on('scroll', () => card && dismiss(), { capture: true })
  signal.addEventListener('abort', close)
}
