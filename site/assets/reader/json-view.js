import { element } from '../element.js'
import { say } from './words.js'

/** A string longer than this is folded. */
const STRING_LENGTH = 160
/** An object or array whose JSON is longer than this is folded, unless it is the outermost. */
const OPEN_LENGTH = 400
/** A value longer than this is not shown in place of the folded object. */
const PREVIEW_LENGTH = 40
/** Items of an array that are shown at first. */
const ITEMS = 20

/** JSON with colors. What is long is folded, and its elements are created when a user unfolds it. */
export const jsonView = (value) =>
  element('div', { class: 'json', lang: 'en', dir: 'ltr' }, entry([], value, '', 0))

/** @param {(Node | string)[]} key what stands before the value @param {number} depth 0: the outermost value */
const entry = (key, value, comma, depth) => {
  if (value === null || typeof value !== 'object') return scalarEntry(key, value, comma)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const size = Object.keys(value).length
  if (size === 0) return element('div', {}, ...key, open, close, comma)
  const children = element('div', { class: 'children' })
  const folded = element('span', { class: 'folded' }, ` ${previewOf(value, size)} ${close}${comma}`)
  const details = element(
    'details',
    {},
    element('summary', {}, ...key, open, folded),
    children,
    element('div', {}, close, comma),
  )
  const unfold = () => children.childElementCount === 0 && fill(children, value, depth + 1)
  details.addEventListener('toggle', () => details.open && unfold())
  // The items of a list are shown, but folded.
  const isShort = depth === 0 || (depth === 1 && Array.isArray(value))
  if (isShort || JSON.stringify(value).length <= OPEN_LENGTH) {
    details.open = true
    unfold()
  }
  return details
}

/** The first member of an object, by which one recognizes it, or the length of an array. */
const previewOf = (value, size) => {
  if (Array.isArray(value)) return say('Items: {0}', size)
  const [key, first] = Object.entries(value)[0]
  const json = JSON.stringify(first)
  return `${JSON.stringify(key)}: ${json.length > PREVIEW_LENGTH ? '…' : json}${size > 1 ? ', …' : ''}`
}

const fill = (children, value, depth) => {
  if (!Array.isArray(value)) {
    const pairs = Object.entries(value)
    const keyOf = (key) => [element('span', { class: 'key' }, JSON.stringify(key)), ': ']
    children.append(
      ...pairs.map(([key, one], i) => entry(keyOf(key), one, i < pairs.length - 1 ? ',' : '', depth)),
    )
    return
  }
  const add = (from, to) =>
    children.append(
      ...value.slice(from, to).map((one, i) => entry([], one, from + i < value.length - 1 ? ',' : '', depth)),
    )
  add(0, ITEMS)
  if (value.length <= ITEMS) return
  const more = element(
    'button',
    { type: 'button', class: 'quiet-button' },
    `${say('More')} (${value.length - ITEMS})`,
  )
  more.addEventListener('click', () => {
    const position = children.childElementCount - 1
    more.remove()
    add(ITEMS, value.length)
    children.children[position]?.querySelector('summary')?.focus()
  })
  children.append(more)
}

const scalarEntry = (key, value, comma) => {
  const json = JSON.stringify(value)
  const type = value === null || typeof value === 'boolean' ? 'literal' : typeof value
  if (json.length <= STRING_LENGTH)
    return element('div', {}, ...key, element('span', { class: type }, json), comma)
  return element(
    'details',
    { class: 'long' },
    element(
      'summary',
      {},
      ...key,
      element('span', { class: `${type} folded` }, `${json.slice(0, STRING_LENGTH / 2)}…`),
    ),
    element('div', { class: 'children' }, element('span', { class: type }, json), comma),
  )
}
