import { escapeHtml } from '../template.ts'
import type { OperationParameter } from './document.ts'
import { typeText } from './response-fields.ts'
import { inlineHtml } from './text.ts'

/** Id of the list with the languages of the wiki. */
export const LOCALES_LIST = 'locales-of-the-wiki'

/** The form with the parameters of an operation. `values` are filled in. */
export const parameterForm = (
  operationId: string,
  parameters: readonly OperationParameter[],
  values: ReadonlyMap<string, string>,
): string => {
  const rows = parameters.map((parameter) => row(operationId, parameter, values.get(parameter.name) ?? ''))
  const heading = rows.length === 0 ? '' : '<h4>Parameters</h4>'
  return `<form id="${operationId}-form" class="parameters" autocomplete="off">${heading}${rows.join('')}</form>`
}

const row = (operationId: string, parameter: OperationParameter, value: string): string => {
  const { name, required, description, schema } = parameter
  const id = `${operationId}-${name}`
  const isList = schema.type === 'array'
  const label = isList
    ? `<code class="name" id="${id}-label">${name}</code>`
    : `<label for="${id}"><code class="name">${name}</code></label>`
  return `<div class="parameter"><p class="field">${label} <span class="type">${typeText(schema)}</span>${required ? ' <span class="required">required</span>' : ''}${boundsHtml(parameter)}</p><p id="${id}-text">${inlineHtml(description)}${choicesHtml(parameter)}</p>${isList ? checkboxes(id, parameter, value) : control(id, parameter, value)}</div>`
}

/** Smallest, largest and default value. */
const boundsHtml = ({ schema: { minimum, maximum, default: value } }: OperationParameter): string => {
  const range = minimum === undefined || maximum === undefined ? [] : [`${minimum} to ${maximum}`]
  const usual = value === undefined ? [] : [`default <code>${escapeHtml(String(value))}</code>`]
  return [...range, ...usual].map((text) => ` <span class="bounds">${text}</span>`).join('')
}

const choicesHtml = ({ schema }: OperationParameter): string => {
  if (!schema.enum) return ''
  return ` One of ${schema.enum.map((value) => `<code>${escapeHtml(value)}</code>`).join(', ')}.`
}

const control = (
  id: string,
  { name, required, schema, example }: OperationParameter,
  value: string,
): string => {
  const common = `id="${id}" data-parameter="${name}" aria-describedby="${id}-text"`
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum
  if (choices) {
    const options = choices.map(
      (choice) =>
        `<option value="${escapeHtml(choice)}"${choice === value ? ' selected' : ''}>${escapeHtml(choice)}</option>`,
    )
    return `<select ${common}><option value="">not sent</option>${options.join('')}</select>`
  }
  const placeholder = schema.default ?? example
  return `<input ${common} type="text" dir="auto" spellcheck="false" autocapitalize="none"${required ? ' required' : ''}${schema.type === 'integer' ? ' inputmode="numeric"' : ''}${name === 'locale' ? ` list="${LOCALES_LIST}"` : ''}${placeholder === undefined ? '' : ` placeholder="${escapeHtml(String(placeholder))}"`} value="${escapeHtml(value)}">`
}

const checkboxes = (id: string, { name, schema }: OperationParameter, value: string): string => {
  const chosen = value.split(',')
  const boxes = (schema.items?.enum ?? []).map(
    (choice) =>
      `<label><input type="checkbox" value="${escapeHtml(choice)}"${chosen.includes(choice) ? ' checked' : ''}><code>${escapeHtml(choice)}</code></label>`,
  )
  return `<fieldset data-parameter="${name}" aria-labelledby="${id}-label" aria-describedby="${id}-text">${boxes.join('')}</fieldset>`
}
