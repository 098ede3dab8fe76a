import { escapeHtml } from '../template.ts'
import type { Schema } from './document.ts'
import { inlineHtml } from './text.ts'

type Schemas = Readonly<Record<string, Schema>>

const REFERENCE = '#/components/schemas/'

/** A schema with what it refers to. The description beside a reference wins. */
const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined
    ? schema
    : {
        ...schemas[schema.$ref.slice(REFERENCE.length)],
        ...(schema.description === undefined ? {} : { description: schema.description }),
      }

/** The type of a value in words. */
export const typeText = (schema: Schema, schemas: Schemas = {}): string => {
  const { type = 'any', format, items } = resolve(schema, schemas)
  if (type === 'array') return `array of ${typeText(items ?? {}, schemas)}s`
  return format === undefined ? type : format
}

/** The fields of an object, or of the objects in an array. Undefined: other values have none. */
const objectOf = (schema: Schema, schemas: Schemas): Schema | undefined => {
  const { items, ...resolved } = resolve(schema, schemas)
  if (items) return objectOf(items, schemas)
  return resolved.properties ? resolved : undefined
}

/**
 * The fields of a JSON response as a list. Those of objects inside are folded.
 * @param within schemas that contain this one, so that a schema inside itself ends the list
 */
export const fieldsHtml = (schema: Schema, schemas: Schemas, within: readonly Schema[] = []): string => {
  const { properties = {}, required = [] } = objectOf(schema, schemas) ?? {}
  const items = Object.entries(properties).map(([name, property]) => {
    const { description = '' } = resolve(property, schemas)
    const inner = objectOf(property, schemas)?.properties
    const optional = required.includes(name) ? '' : ' <span class="optional">not always</span>'
    const fields =
      inner && !within.includes(inner)
        ? `<details><summary>Fields of <code>${escapeHtml(name)}</code></summary>${fieldsHtml(property, schemas, [...within, inner])}</details>`
        : ''
    return `<li><p class="field"><code class="name">${escapeHtml(name)}</code> <span class="type">${typeText(property, schemas)}</span>${optional}</p>${description && `<p>${inlineHtml(description)}</p>`}${fields}</li>`
  })
  return items.length === 0 ? '' : `<ul class="fields">${items.join('')}</ul>`
}
