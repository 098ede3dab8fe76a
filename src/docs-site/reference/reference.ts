import type { OwnApi } from '../../rest/examples/own-api.ts'
import type { RequestContext } from '../../rest/route.ts'
import { COPY_BUTTON } from '../code/boxes.ts'
import { loadHighlighter } from '../code/highlight.ts'
import { loadSamples } from '../code/samples.ts'
import { escapeHtml } from '../template.ts'
import { type ReferenceDocument, type ReferenceEndpoint, referenceOf } from './document.ts'
import { operationHtml, pathHtml } from './operation.ts'
import { LOCALES_LIST } from './parameter-form.ts'
import { blockHtml, inlineHtml } from './text.ts'

/**
 * The reference as HTML: its text, and the list of its sections. (D123)
 * @throws PublicError when the service is overloaded
 */
export const referenceHtml = async (
  context: RequestContext,
  api: OwnApi | undefined,
): Promise<{ reference: string; contents: string }> => {
  const { document, endpoints } = await referenceOf(context, api)
  const highlight = await loadHighlighter()
  const { urlOf, samplesOf, formatJson } = await loadSamples()
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
    reference: `${introduction(document, endpoints, context.base)}${groups.map(({ html }) => html).join('')}${errorsSection(document, view.json)}${headersSection(document)}${localesList(context)}`,
    contents: `<li><ul><li><a href="#introduction">Introduction</a></li></ul></li>${groups.map(({ contents }) => contents).join('')}<li><p>Every response</p><ul><li><a href="#errors">Errors</a></li><li><a href="#headers">Headers</a></li></ul></li>`,
  }
}

const contentsItem = ({ operation: { operationId, summary } }: ReferenceEndpoint): string =>
  `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`

const introduction = (
  { info }: ReferenceDocument,
  endpoints: readonly ReferenceEndpoint[],
  base: string,
): string =>
  `<section class="general" id="introduction" aria-labelledby="introduction-title">
<div class="about"><h1 id="introduction-title">Reference</h1>${blockHtml(info.description)}</div>
<div class="try"><div class="box"><div class="bar"><p class="status">Base URL</p>${COPY_BUTTON}</div><pre tabindex="0" aria-label="Base URL" dir="ltr"><code>${escapeHtml(base)}</code></pre></div>
<div class="box"><div class="bar"><p class="status">Endpoints</p></div><ul class="paths">${endpoints.map(pathItem).join('')}</ul></div></div>
</section>`

const pathItem = ({ path, operation }: ReferenceEndpoint): string =>
  `<li><span class="method">GET</span> <a href="#${operation.operationId}"><code>${pathHtml(path)}</code></a></li>`

/** Errors have the same body at every endpoint, so they are told once. */
const errorsSection = (
  { components, paths }: ReferenceDocument,
  json: (value: unknown) => string,
): string => {
  const [first] = Object.values(paths)
  const errors = Object.entries(first!.get.responses).flatMap(([status, { $ref }]) => {
    const error = components.responses[$ref?.split('/').at(-1) ?? '']
    return error === undefined ? [] : [{ status, ...error }]
  })
  const rows = errors.map(
    ({ status, description, content }) =>
      `<tr><th scope="row">${status}</th><td><code>${content['application/json'].example.error.code}</code></td><td>${inlineHtml(description)}</td></tr>`,
  )
  const example = errors[0]!.content['application/json'].example
  return `<section class="general" id="errors" aria-labelledby="errors-title">
<div class="about"><h2 id="errors-title">Errors</h2><p>Every endpoint can return these errors. The body has a code for programs, and a message for people.</p>
<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
<div class="try"><div class="box"><div class="bar"><p class="status"><strong>${errors[0]!.status}</strong> Example error</p>${COPY_BUTTON}</div><pre tabindex="0" aria-label="Example error" dir="ltr"><code>${json(example)}</code></pre></div></div>
</section>`
}

const headersSection = ({ components }: ReferenceDocument): string => {
  const rows = Object.entries(components.headers).map(
    ([name, { description, example }]) =>
      `<li><p class="field"><code class="name">${name}</code></p><p>${inlineHtml(description)}</p><p class="example-value"><code>${escapeHtml(String(example))}</code></p></li>`,
  )
  return `<section class="general" id="headers" aria-labelledby="headers-title">
<div class="about"><h2 id="headers-title">Headers</h2><p>Responses of every endpoint have these headers, unless their description says otherwise.</p><ul class="fields">${rows.join('')}</ul></div>
</section>`
}

/** Suggestions for `locale`. */
const localesList = ({ wiki }: RequestContext): string =>
  `<datalist id="${LOCALES_LIST}">${wiki.locales
    .map(({ locale, name }) => `<option value="${escapeHtml(locale)}">${escapeHtml(name)}</option>`)
    .join('')}</datalist>`
