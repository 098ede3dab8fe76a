/** The value of a control. A group of checkboxes is a list with commas. */
const currentValue = (control) =>
  control.matches('fieldset')
    ? [...control.querySelectorAll('input:checked')].map(({ value }) => value).join(',')
    : control.value

const setValue = (control, value) => {
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
    read: () => [...controls].map(([name, control]) => [name, currentValue(control)]),
    /** Parameters without a value are emptied. @param {Map<string, string>} values */
    write: (values) => {
      for (const [name, control] of controls) setValue(control, values.get(name) ?? '')
    },
    /** Moves the focus to a required field that is empty. @returns whether there was none */
    isComplete: () => form.reportValidity(),
  }
}
