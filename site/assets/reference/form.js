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
    /** Moves the focus to a required field that is empty. @returns whether there was none */
    isComplete: () => form.reportValidity(),
  }
}
