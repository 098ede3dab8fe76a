/**
 * An element of the page. Text becomes text, never markup.
 * @param {string} name
 * @param {Record<string, string | boolean | EventListener>} attributes `onclick` and its like take a function;
 *   false leaves an attribute out, true gives it without a value
 * @param {...(Node | string)} children
 */
export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value)
    else if (value !== false) made.setAttribute(key, value === true ? '' : value)
  }
  made.append(...children)
  return made
}

/** The heading of a view: it is focused when the view is opened. */
export const heading = (text, attributes = {}) => element('h1', { tabindex: '-1', ...attributes }, text)
