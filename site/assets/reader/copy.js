import { copyText } from '../clipboard.js'
import { element } from '../element.js'
import { say } from './words.js'

/** How long a button says that it has copied, milliseconds. */
const SAYS_SO_MS = 2000

/** A button that copies a text. @param {string} label @param {() => string} textOf */
export const copyButton = (label, textOf) => {
  const button = element('button', { type: 'button', class: 'quiet-button' }, label)
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(textOf())) ? say('Copied') : say('Not copied')
    setTimeout(() => {
      button.textContent = label
    }, SAYS_SO_MS)
  })
  // A screen reader announces the new text of the button.
  button.setAttribute('aria-live', 'polite')
  return button
}
