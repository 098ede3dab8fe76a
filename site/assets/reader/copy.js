import { element } from './element.js'

/** How long a button says that it has copied, milliseconds. */
const SAYS_SO_MS = 2000

/** A button that copies a text. @param {string} label @param {() => string} textOf */
export const copyButton = (label, textOf) => {
  const button = element('button', { type: 'button', class: 'quiet-button' }, label)
  button.addEventListener('click', async () => {
    button.textContent = (await copied(textOf())) ? 'Copied' : 'Not copied'
    setTimeout(() => {
      button.textContent = label
    }, SAYS_SO_MS)
  })
  // A screen reader announces the new text of the button.
  button.setAttribute('aria-live', 'polite')
  return button
}

/** Browsers have no `navigator.clipboard` on a page that came by http from another machine. */
const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copiedBySelection(text)
  }
}

const copiedBySelection = (text) => {
  const field = element('textarea', { class: 'unseen', tabindex: '-1', 'aria-hidden': 'true' })
  const focused = document.activeElement
  field.value = text
  ;(focused?.closest('dialog') ?? document.body).append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  focused?.focus()
  return done
}
