import { element } from '../element.js'

/** The values of a control. A group of checkboxes is a list with commas; a line of several is a value. */
const currentValues = (control) => {
  if (control.matches('fieldset'))
    return [[...control.querySelectorAll('input:checked')].map(({ value }) => value).join(',')]
  return control.matches('textarea') ? control.value.split('\n') : [control.value]
}

const setValues = (control, values) => {
  const value = control.matches('textarea') ? values.join('\n') : (values.at(-1) ?? '')
  if (control.matches('fieldset')) {
    const chosen = value.split(',')
    for (const input of control.querySelectorAll('input')) input.checked = chosen.includes(input.value)
    return
  }
  // A value that the list does not have is shown as well: the API says what is wrong with it.
  if (control.matches('select') && ![...control.options].some((option) => option.value === value))
    control.add(new Option(value, value))
  control.value = value
}

/**
 * The controls of the parameters of one endpoint.
 * @param {HTMLFormElement} form
 */
export const makeForm = (form) => {
  const controls = new Map(
    [...form.querySelectorAll('[data-parameter]')].map((control) => [control.dataset.parameter, control]),
  )
  return {
    names: [...controls.keys()],
    /** @returns {[string, string][]} names and values of all parameters */
    read: () =>
      [...controls].flatMap(([name, control]) => currentValues(control).map((value) => [name, value])),
    /** Parameters without a value are emptied. @param {[string, string][]} pairs names and values */
    write: (pairs) => {
      for (const [name, control] of controls)
        setValues(
          control,
          pairs.filter(([one]) => one === name).map(([, value]) => value),
        )
    },
    /** Marks the fields that an error names, each with what it says, and shows the first. @param {string} [message] of the API; absent: none */
    mark: (message = '') => {
      for (const [name, control] of controls) {
        const [, text] = new RegExp(`(?:^|; )${name}: (.*?)(?=; \\w+: |$)`).exec(message) ?? []
        const id = `${control.id || control.getAttribute('aria-labelledby')}-error`
        document.getElementById(id)?.remove()
        for (const attribute of ['aria-invalid', 'aria-errormessage']) control.removeAttribute(attribute)
        if (!text) continue
        control.after(
          element('p', { id, class: 'error', role: 'alert' }, `${text[0].toUpperCase()}${text.slice(1)}.`),
        )
        control.setAttribute('aria-invalid', 'true')
        control.setAttribute('aria-errormessage', id)
      }
      form.querySelector('.parameter:has([aria-invalid])')?.scrollIntoView({ block: 'nearest' })
    },
    /** Moves the focus to a required field that is empty. @returns whether there was none */
    isComplete: () => form.reportValidity(),
  }
}
