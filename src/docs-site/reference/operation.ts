import { answerBox, COPY_BUTTON, languageTabs } from '../code/boxes.ts'
import type { Highlight } from '../code/highlight.ts'
import { SAMPLE_LANGUAGES, type Samples } from '../code/samples.ts'
import { escapeHtml } from '../template.ts'
import type { Contents, ReferenceEndpoint, Schema } from './document.ts'
import { parameterForm } from './parameter-form.ts'
import { fieldsHtml } from './response-fields.ts'
import { inlineHtml } from './text.ts'

/** How an operation is shown. */
interface OperationView {
  schemas: Readonly<Record<string, Schema>>
  highlight: Highlight
  /** A value as colored JSON. */
  json(value: unknown): string
  /** The code of a request. @param target path and query under the base URL */
  samples(target: string, isJson: boolean): Samples
}

/** The section of an endpoint: prose and parameters; beside them, its request and a response. */
export const operationHtml = (endpoint: ReferenceEndpoint, view: OperationView): string => {
  const { path, operation, order, pattern, pagedBy } = endpoint
  const { operationId: id, summary, description, parameters = [] } = operation
  const content = operation.responses['200']?.content ?? {}
  const [media = '', { schema = {} } = {}] = Object.entries(content)[0] ?? []
  const fields = fieldsHtml(schema, view.schemas)
  const response =
    fields === '' ? `<p>${inlineHtml(schema.description ?? '')} <code>${media}</code></p>` : fields
  return `<section class="operation" id="${id}" aria-labelledby="${id}-title" data-template="${escapeHtml(path)}" data-pattern="${escapeHtml(pattern)}" data-order="${order}" data-media="${media}">
<div class="about">
<h3 id="${id}-title"><a href="#${id}">${escapeHtml(summary)}</a></h3>
<p class="path"><span class="method">GET</span> <code>${pathHtml(path)}</code></p>
<p>${inlineHtml(description)}</p>
${parameterForm(id, parameters, valuesOf(endpoint))}
<h4>Response</h4>
${response}${otherMedia(content)}
</div>
<div class="try">
${requestBox(endpoint, media, view)}
<div class="notice"></div>
${responseBox(endpoint, content, view, pagedBy)}
</div>
</section>`
}

/** A path template. A line may break before a slash. */
export const pathHtml = (path: string): string => escapeHtml(path).replace(/(?<=.)\//g, '<wbr>/')

const otherMedia = (content: Contents): string =>
  Object.entries(content)
    .slice(1)
    .map(([media, { schema }]) => `<p>${inlineHtml(schema.description ?? '')} <code>${media}</code></p>`)
    .join('')

/** The values of the parameters in the request that is filled in. */
const valuesOf = ({ pattern, path, request }: ReferenceEndpoint): Map<string, string> => {
  const [target = '', query = ''] = request.split('?')
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const match = new RegExp(pattern, 's').exec(target)
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
  const languages = Object.entries(SAMPLE_LANGUAGES) as [keyof Samples, string][]
  const tabs = languages.map(([language, label]) => ({ language, label, panel: `${id}-${language}` }))
  const panels = languages.map(
    ([language, label]) =>
      `<pre id="${id}-${language}" class="panel" role="tabpanel" data-language="${language}" tabindex="0" aria-label="${label}: ${escapeHtml(summary)}" dir="ltr"><code>${highlight(code[language], language)}</code></pre>`,
  )
  return `<div class="box request">
<div class="bar line"><span class="method">GET</span><input class="target" type="text" dir="ltr" spellcheck="false" autocapitalize="none" autocomplete="off" aria-label="Request: ${escapeHtml(summary)}" value="${escapeHtml(request)}"><button type="submit" class="send" form="${id}-form">Send</button></div>
<div class="bar">${languageTabs(tabs, summary)}<span class="actions"><button type="button" class="share quiet" aria-live="polite">Copy link</button>${COPY_BUTTON}</span></div>
<div class="samples panels" data-languages="${Object.keys(SAMPLE_LANGUAGES).join(' ')}">${panels.join('')}</div>
</div>`
}

const responseBox = (
  { operation: { operationId: id, summary } }: ReferenceEndpoint,
  content: Contents,
  { json }: OperationView,
  pagedBy: string | undefined,
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
