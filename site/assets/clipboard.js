/**
 * Copies a text. @returns whether it is copied
 *
 * Browsers have no `navigator.clipboard` on a page that came by http from another machine.
 */
export const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

const copyBySelection = (text) => {
  const field = document.createElement('textarea')
  const focused = document.activeElement
  field.className = 'unseen'
  field.tabIndex = -1
  field.ariaHidden = 'true'
  field.value = text
  ;(focused?.closest('dialog') ?? document.body).append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  focused?.focus()
  return done
}
