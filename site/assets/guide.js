/** Shows the examples of the guide in one language, or in all. The browser stores the choice. */
const LANGUAGES = { all: 'All', sh: 'curl', js: 'JavaScript', python: 'Python' }
const KEY = 'lectern-guide-examples'

/** Null in private windows, in which the browser may store nothing. */
const storedLanguage = () => {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

const choose = (language) => {
  document.documentElement.dataset.examples = language
  try {
    localStorage.setItem(KEY, language)
  } catch {}
}

const radio = ([value, text], chosen) => {
  const label = document.createElement('label')
  const input = document.createElement('input')
  Object.assign(input, { type: 'radio', name: 'examples', value, checked: value === chosen })
  input.addEventListener('change', () => choose(value))
  label.append(input, ` ${text}`)
  return label
}

/** Makes blocks that scroll reachable by keyboard. */
const makeFocusable = () => {
  for (const block of document.querySelectorAll('.example pre')) {
    if (block.scrollHeight > block.clientHeight) block.tabIndex = 0
    else block.removeAttribute('tabindex')
  }
}

const stored = storedLanguage()
const chosen = stored !== null && stored in LANGUAGES ? stored : 'all'
document.documentElement.dataset.examples = chosen
const fieldset = document.createElement('fieldset')
fieldset.className = 'languages'
const legend = document.createElement('legend')
legend.textContent = 'Examples in'
fieldset.append(legend, ...Object.entries(LANGUAGES).map((language) => radio(language, chosen)))
document.querySelector('.prose h2').before(fieldset)
new ResizeObserver(makeFocusable).observe(document.querySelector('.prose'))
