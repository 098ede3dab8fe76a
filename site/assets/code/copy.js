import { copyText } from '../clipboard.js'

/** Copies a text, and says on the button and to screen readers whether it is copied. */
export const copyFrom = async (button, text, { copied = 'Copied', failed = 'Failed' } = {}) => {
  button.dataset.label ??= button.textContent
  const isCopied = await copyText(text)
  button.focus({ preventScroll: true })
  button.textContent = isCopied ? copied : failed
  setTimeout(() => {
    button.textContent = button.dataset.label
  }, 2000)
}

/** Every button of the class `copy` copies the code that its box shows. */
document.addEventListener('click', ({ target }) => {
  const button = target.closest('button.copy')
  if (!button) return
  const shown = [...button.closest('.box').querySelectorAll('code')].find((code) => code.checkVisibility())
  if (shown) copyFrom(button, shown.textContent)
})
