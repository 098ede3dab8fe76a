/**
 * Creates an element. Strings become text, never markup.
 * @param {string} name
 * @param {Record<string, string | boolean | EventListener>} attributes event handlers such as
 *   `onclick` are functions; false omits an attribute, true sets it without a value
 * @param {...(Node | string)} children
 */
export const element = (name, attributes = {}, ...children) => {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') created.addEventListener(key.slice(2), value)
    else if (value !== false) created.setAttribute(key, value === true ? '' : value)
  }
  created.append(...children)
  return created
}

/** The heading of a view. It gets the focus when the view opens. */
export const heading = (text, attributes = {}) => element('h1', { tabindex: '-1', ...attributes }, text)

/** The text of a heading of a page, without the numbers of footnotes; of a formula, what it is made from. @param {Element} heading */
export const headingText = (heading) => {
  const copy = heading.cloneNode(true)
  for (const reference of copy.querySelectorAll('sup:has(> a[href*="#fn:"])')) reference.remove()
  for (const formula of copy.querySelectorAll('math:has(annotation)'))
    formula.replaceWith(formula.querySelector('annotation').textContent)
  return copy.textContent.trim()
}

/** A text with its highlights marked. Offsets count UTF-16 code units, as JavaScript does. */
export const withMarks = ({ text, highlights }) => {
  const parts = []
  let at = 0
  for (const [start, end] of highlights) {
    parts.push(text.slice(at, start), element('mark', {}, text.slice(start, end)))
    at = end
  }
  return [...parts, text.slice(at)]
}
