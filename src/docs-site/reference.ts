import { Marked } from 'marked'
import type { OwnApi } from '../rest/openapi/own-api.ts'
import type { RequestContext } from '../rest/route.ts'
import {
  answerBox,
  COPY_BUTTON,
  type Highlight,
  languageTabs,
  loadHighlighter,
  loadModules,
  type Samples,
  samplePanels,
} from './code.ts'
import {
  type Contents,
  type OperationParameter,
  type ReferenceDocument,
  type ReferenceEndpoint,
  referenceOf,
  type Schema,
} from './reference-document.ts'
import { escapeHtml, pathHtml } from './template.ts'

/** The parts of the reference as HTML (D52). @throws PublicError when the service is overloaded */
export const referenceHtml = async (context: RequestContext, api: OwnApi | undefined) => {
  const { document, endpoints } = await referenceOf(context, api)
  const highlight = await loadHighlighter()
  const { urlOf, samplesOf, formatJson } = await loadModules()
  const view = {
    schemas: document.components.schemas,
    highlight,
    json: (value: unknown) => highlight(formatJson(value), 'json'),
    samples: (target: string, isJson: boolean) => samplesOf(urlOf(context.base, target), isJson),
  }
  const groups = document.tags.map(({ name, description }) => {
    const inGroup = endpoints.filter(({ operation }) => operation.tags.includes(name))
    const sections = inGroup.map((endpoint) => operationHtml(endpoint, view))
    return {
      html: `<section class="group" aria-labelledby="group-${name}"><h2 id="group-${name}">${escapeHtml(name)}</h2><p class="lead">${inlineHtml(description)}</p>${sections.join('')}</section>`,
      contents: `<li><p>${escapeHtml(name)}</p><ul>${inGroup.map(contentsItem).join('')}</ul></li>`,
    }
  })
  return {
    introduction: marked.parse(document.info.description, { async: false }),
    baseBox: codeBox('Base URL', 'Base URL', escapeHtml(context.base)),
    paths: endpoints.map(pathItem).join(''),
    groups: groups.map(({ html }) => html).join(''),
    ...errorsHtml(document, view.json),
    headers: Object.entries(document.components.headers).map(headerItem).join(''),
    locales: context.wiki.locales.map(localeOption).join(''),
    contents: groups.map(({ contents }) => contents).join(''),
  }
}

const contentsItem = ({ operation: { operationId, summary } }: ReferenceEndpoint): string =>
  `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`

const pathItem = ({ path, operation }: ReferenceEndpoint): string =>
  `<li><span class="method">GET</span> <a href="#${operation.operationId}"><code>${pathHtml(path)}</code></a></li>`

/** Errors have the same body at every endpoint, so they are told once. */
const errorsHtml = ({ components, paths }: ReferenceDocument, json: (value: unknown) => string) => {
  const errors = Object.entries(Object.values(paths)[0]!.get.responses).flatMap(([status, { $ref }]) => {
    const error = components.responses[$ref?.split('/').at(-1) ?? '']
    return error === undefined ? [] : [{ status, ...error }]
  })
  const rows = errors.map(
    ({ status, description, content }) =>
      `<tr><th scope="row">${status}</th><td><code>${content['application/json'].example.error.code}</code></td><td>${inlineHtml(description)}</td></tr>`,
  )
  const [{ status, content }] = errors as [(typeof errors)[number]]
  const example = json(content['application/json'].example)
  const errorBox = codeBox(`<strong>${status}</strong> Example error`, 'Example error', example)
  return { errors: rows.join(''), errorBox }
}

/** @param heading HTML @param code HTML */
const codeBox = (heading: string, label: string, code: string): string =>
  `<div class="box"><div class="bar"><p class="status">${heading}</p>${COPY_BUTTON}</div><pre tabindex="0" aria-label="${label}" dir="ltr"><code>${code}</code></pre></div>`

const headerItem = ([name, header]: [string, { description: string; example: unknown }]): string =>
  `<li><p class="field"><code class="name">${name}</code></p><p>${inlineHtml(header.description)}</p><p class="example-value"><code>${escapeHtml(String(header.example))}</code></p></li>`

/** Suggestions for `locale`. */
const localeOption = ({ locale, name }: { locale: string; name: string }): string =>
  `<option value="${escapeHtml(locale)}">${escapeHtml(name)}</option>`

interface OperationView {
  schemas: Readonly<Record<string, Schema>>
  highlight: Highlight
  /** A value as colored JSON. */
  json(value: unknown): string
  /** The code of a request. @param target path and query under the base URL */
  samples(target: string, isJson: boolean): Samples
}

/** The section of an endpoint: prose; its request and a response, which stay beside it; parameters and fields. */
const operationHtml = (endpoint: ReferenceEndpoint, view: OperationView): string => {
  const { path, operation, order, pattern } = endpoint
  const { operationId: id, summary, description, parameters = [] } = operation
  const { content = {}, 'x-other-content': otherContent = {} } = operation.responses['200']!
  const [media = '', { schema = {} } = {}] = Object.entries(content)[0] ?? []
  const fields = fieldsHtml(schema, view.schemas)
  const response =
    fields === '' ? `<p>${inlineHtml(schema.description ?? '')} <code>${media}</code></p>` : fields
  return `<section class="operation" id="${id}" aria-labelledby="${id}-title" data-template="${escapeHtml(path)}" data-pattern="${escapeHtml(pattern)}" data-order="${order}" data-media="${media}">
<div class="about">
<h3 id="${id}-title"><a href="#${id}">${escapeHtml(summary)}</a></h3>
<p class="path"><span class="method">GET</span> <code>${pathHtml(path)}</code> <code class="operation-id">${id}</code></p>
<p>${inlineHtml(description)}</p></div>
<div class="try">${later(`${requestBox(endpoint, media, view)}
<div class="notice"></div>
${responseBox(endpoint, content, view)}`)}</div>
<div class="about">${later(`${parameterForm(id, parameters, valuesOf(endpoint))}
<h4>Response</h4>
${response}${otherMedia(otherContent)}`)}</div>
</section>`
}

/** For a browser with scripts, this is one text, of which `reference/main.js` makes elements when it has time. */
const later = (html: string): string => `<noscript>${html}</noscript>`

const otherMedia = (content: Contents): string =>
  Object.entries(content)
    .map(([media, { schema }]) => `<p>${inlineHtml(schema.description ?? '')} <code>${media}</code></p>`)
    .join('')

/** The values of the parameters in the request that is filled in. */
const valuesOf = ({ pattern, path, request }: ReferenceEndpoint): Map<string, string> => {
  const [target = '', query = ''] = request.split('?')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const match = request === path ? undefined : new RegExp(pattern, 's').exec(target)
  return new Map([
    ...names.map((name, i): [string, string] => [name, decodeURIComponent(match?.[i + 1] ?? '')]),
    ...new URLSearchParams(query),
  ])
}

const requestBox = (
  { request, operation: { operationId: id, summary } }: ReferenceEndpoint,
  media: string,
  { samples, highlight }: OperationView,
): string => {
  const code = samples(request, media === 'application/json')
  const { languages, panels } = samplePanels(id, code, highlight, summary)
  return `<div class="box request">
<div class="bar line"><span class="method">GET</span><textarea class="target" rows="1" dir="ltr" spellcheck="false" autocapitalize="none" autocomplete="off" aria-label="Request: ${escapeHtml(summary)}">${escapeHtml(request)}</textarea><button type="submit" class="send" form="${id}-form">Send</button></div>
<div class="bar">${languageTabs(id, languages, summary)}<span class="actions"><button type="button" class="share quiet" aria-live="polite">Copy link</button>${COPY_BUTTON}</span></div>
<div class="samples panels" data-languages="${languages.join(' ')}">${panels}</div>
</div>`
}

const responseBox = (
  { operation: { operationId: id, summary }, pagedBy }: ReferenceEndpoint,
  content: Contents,
  { json }: OperationView,
): string => {
  const [first] = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples))
  const body =
    first === undefined ? '' : typeof first.value === 'string' ? escapeHtml(first.value) : json(first.value)
  const next =
    pagedBy === undefined
      ? ''
      : `<button type="button" class="next quiet" data-parameter="${pagedBy}" hidden>Next part</button>`
  return answerBox(id, {
    body,
    status: first === undefined ? 'No response yet' : 'Example response',
    extra: next,
    label: summary,
  })
}

/** The form with the parameters of an operation. `values` are filled in. */
const parameterForm = (
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
  const isList = schema.items?.enum !== undefined
  const label = isList
    ? `<code class="name" id="${id}-label">${name}</code>`
    : `<label for="${id}"><code class="name">${name}</code></label>`
  return `<div class="parameter"><p class="field">${label} <span class="type">${typeText(schema)}</span>${required ? ' <span class="required">required</span>' : ''}${boundsHtml(parameter)}</p><p id="${id}-text">${inlineHtml(description)}${choicesHtml(parameter)}</p>${isList ? checkboxes(id, parameter, value) : control(id, parameter, value)}</div>`
}

const boundsHtml = ({ schema: { minimum, maximum, default: value } }: OperationParameter): string => {
  const range = minimum === undefined || maximum === undefined ? [] : [`${minimum} to ${maximum}`]
  const usual = value === undefined ? [] : [`default <code>${escapeHtml(String(value))}</code>`]
  return [...range, ...usual].map((text) => ` <span class="bounds">${text}</span>`).join('')
}

const choicesHtml = ({ schema }: OperationParameter): string => {
  if (!schema.enum) return ''
  return ` One of ${schema.enum.map((value) => `<code>${escapeHtml(value)}</code>`).join(', ')}.`
}

const control = (id: string, { name, required, schema, example }: OperationParameter, value: string) => {
  const common = `id="${id}" data-parameter="${name}" aria-describedby="${id}-text"`
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum
  if (choices) {
    const options = choices.map(
      (choice) =>
        `<option value="${escapeHtml(choice)}"${choice === value ? ' selected' : ''}>${escapeHtml(choice)}</option>`,
    )
    return `<select ${common}><option value="">not sent</option>${options.join('')}</select>`
  }
  if (schema.type === 'array')
    return `<textarea ${common} rows="2" dir="auto" spellcheck="false" autocapitalize="none" placeholder="One in each line">${escapeHtml(value)}</textarea>`
  const placeholder = schema.default ?? example
  return `<input ${common} type="text" dir="auto" spellcheck="false" autocapitalize="none"${required ? ' required' : ''}${schema.type === 'integer' ? ' inputmode="numeric"' : ''}${name === 'locale' ? ' list="locales-of-the-wiki"' : ''}${placeholder === undefined ? '' : ` placeholder="${escapeHtml(String(placeholder))}"`} value="${escapeHtml(value)}">`
}

const checkboxes = (id: string, { name, schema }: OperationParameter, value: string): string => {
  const chosen = value.split(',')
  const boxes = (schema.items?.enum ?? []).map(
    (choice) =>
      `<label><input type="checkbox" value="${escapeHtml(choice)}"${chosen.includes(choice) ? ' checked' : ''}><code>${escapeHtml(choice)}</code></label>`,
  )
  return `<fieldset data-parameter="${name}" aria-labelledby="${id}-label" aria-describedby="${id}-text">${boxes.join('')}</fieldset>`
}

type Schemas = Readonly<Record<string, Schema>>

const REFERENCE = '#/components/schemas/'

/** A schema with what it refers to. The description beside a reference wins. Of alternatives, the first stands for all. */
const resolve = ({ $ref, oneOf, anyOf = oneOf, ...own }: Schema, schemas: Schemas): Schema => {
  if ($ref !== undefined) return resolve({ ...schemas[$ref.slice(REFERENCE.length)], ...own }, schemas)
  const [first, ...others] = (anyOf ?? []).map((one) => resolve(one, schemas))
  const types = others.some(({ type }) => type === 'null') && { type: [first!.type ?? 'any', 'null'].flat() }
  return { ...first, ...own, ...types }
}

/** The type of a value in words. @param isPlural whether of several values */
const typeText = (schema: Schema, schemas: Schemas = {}, isPlural = false): string => {
  const { type = 'any', format, items } = resolve(schema, schemas)
  const plural = isPlural ? 's' : ''
  if (type === 'array') return `array${plural} of ${typeText(items ?? {}, schemas, true)}`
  const [name, ...others] = [type].flat()
  return [`${format ?? name}${plural}`, ...others].join(' or ')
}

/** The objects that a value can be, or each item of an array. Other values have no fields. */
const objectsOf = (schema: Schema, schemas: Schemas): Schema[] => {
  const { $ref, oneOf, anyOf = oneOf, items, properties } = schema
  if (properties) return Object.keys(properties).length > 0 ? [schema] : []
  const inner = $ref === undefined ? items : schemas[$ref.slice(REFERENCE.length)]
  return (anyOf ?? (inner ? [inner] : [])).flatMap((one) => objectsOf(one, schemas))
}

/**
 * The fields of a JSON response as a list, or a list for each object that it can be. Those of objects inside are folded.
 * @param within schemas that contain this one, so that a schema inside itself ends the list
 */
const fieldsHtml = (schema: Schema, schemas: Schemas, within: readonly Schema[] = []): string => {
  const objects = objectsOf(schema, schemas).filter((object) => !within.includes(object))
  const lists = objects.map(({ description = '', properties = {}, required = [] }) => {
    const items = Object.entries(properties).map(([name, property]) => {
      const text = resolve(property, schemas).description
      const optional = required.includes(name) ? '' : ' <span class="optional">optional</span>'
      const inner = fieldsHtml(property, schemas, [...within, ...objects])
      const fields =
        inner && `<details><summary>Fields of <code>${escapeHtml(name)}</code></summary>${inner}</details>`
      return `<li><p class="field"><code class="name">${escapeHtml(name)}</code> <span class="type">${typeText(property, schemas)}</span>${optional}</p>${text ? `<p>${inlineHtml(text)}</p>` : ''}${fields}</li>`
    })
    if (objects.length === 1) return `<ul class="fields">${items.join('')}</ul>`
    const [name, one] = Object.entries(properties).find((field) => field[1].const !== undefined) ?? []
    const value = one ? `${name}: ${one.const}` : ''
    return `<div class="variant" role="group" aria-label="${escapeHtml(value || description)}"><p>${value && `<code>${value}</code> `}${inlineHtml(description)}</p><ul class="fields">${items.join('')}</ul></div>`
  })
  return lists.join('')
}

const marked = new Marked({ gfm: true, renderer: { html: ({ text }) => escapeHtml(text) } })

/** A description of OpenAPI as HTML: one paragraph, without its element. */
const inlineHtml = (markdown: string): string => marked.parseInline(markdown, { async: false })
