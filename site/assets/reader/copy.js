import { copyFrom } from '../code/copy.js'
import { element } from '../element.js'
import { say } from './words.js'

/** A button that copies a text. @param {string} label @param {() => string} textOf */
export const copyButton = (label, textOf) => {
  const words = { copied: say('Copied'), failed: say('Not copied') }
  const onclick = ({ currentTarget }) => copyFrom(currentTarget, textOf(), words)
  // A screen reader announces the new text of the button.
  return element('button', { type: 'button', class: 'quiet-button', 'aria-live': 'polite', onclick }, label)
}
