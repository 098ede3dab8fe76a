/** Shows the guide's examples in one language, or in all. The choice is kept in this browser. */
const LANGUAGES = { all: 'All', sh: 'curl', js: 'JavaScript', python: 'Python' }
const KEY = 'lectern-guide-examples'

/** Private windows may keep nothing. */
const stored = () => {
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

/** A block that scrolls can be reached by the keyboard. */
const makeReachable = () => {
  for (const block of document.querySelectorAll('.example pre')) {
    if (block.scrollHeight > block.clientHeight) block.tabIndex = 0
    else block.removeAttribute('tabindex')
  }
}

const kept = stored()
const chosen = kept !== null && kept in LANGUAGES ? kept : 'all'
document.documentElement.dataset.examples = chosen
const fieldset = document.createElement('fieldset')
fieldset.className = 'languages'
const legend = document.createElement('legend')
legend.textContent = 'Examples in'
fieldset.append(legend, ...Object.entries(LANGUAGES).map((language) => radio(language, chosen)))
document.querySelector('.prose h2').before(fieldset)
new ResizeObserver(makeReachable).observe(document.querySelector('.prose'))
