/** Pages over plain HTTP have no clipboard API. */
const copyBySelection = (text) => {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'unseen'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  return isCopied
}

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Copies a text, and says on the button and to screen readers whether it is copied. */
export const copyFrom = async (button, text) => {
  button.dataset.label ??= button.textContent
  const isCopied = await copy(text)
  button.focus({ preventScroll: true })
  button.textContent = isCopied ? 'Copied' : 'Failed'
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
