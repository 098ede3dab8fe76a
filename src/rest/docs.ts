import type { Answer } from './answers.ts'
import { cacheControl } from './answers.ts'
import type { AnyRoute, Parameter, Place } from './route.ts'

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`).replace(/`([^`]*)`/g, '<code>$1</code>')

const parameterRow = ([name, { in: place, description, schema }]: [string, Parameter]): string => {
  const { type, minimum, maximum, default: standard, enum: words } = schema as Record<string, unknown>
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`
  const rule = Array.isArray(words) ? words.join(', ') : `${type}${range}`
  return `<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${rule}</td><td>${standard ?? ''}</td><td>${escapeHtml(description)}</td></tr>`
}

const section = (route: AnyRoute, { base }: Place): string => {
  const rows = Object.entries(route.parameters as Record<string, Parameter>).map(parameterRow)
  const table =
    rows.length === 0
      ? ''
      : `<table><thead><tr><th>Parameter</th><th>In</th><th>Values</th><th>Default</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  const tries = route.examples.map(
    ({ summary, url }) =>
      `<li>${escapeHtml(summary)}: <a href="${escapeHtml(base + url)}">GET ${escapeHtml(url)}</a></li>`,
  )
  return `<section id="${route.name}"><h2><code>GET ${escapeHtml(route.path)}</code></h2><p>${escapeHtml(route.description)}</p>${table}<p>On the sample wiki:</p><ul>${tries.join('')}</ul></section>`
}

const STYLE =
  'body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui;color-scheme:light dark}table{border-collapse:collapse;width:100%}th,td{border:1px solid #8886;padding:.3rem .6rem;text-align:left;vertical-align:top}'

/** A page for people: every endpoint with its parameters, and calls to try. Nothing is loaded from elsewhere. */
export const docsAnswer = (routes: readonly AnyRoute[], place: Place): Answer => {
  const { wiki, base, license, settings } = place
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API of ${escapeHtml(wiki.name)}</title><style>${STYLE}</style></head><body><main><h1>API of ${escapeHtml(wiki.name)}</h1>
<p>Read-only, no key, from any website. Everything is a GET under <code>${escapeHtml(base)}</code>; <a href="${escapeHtml(base)}/openapi.json">openapi.json</a> describes it to machines. The content is under <a href="${escapeHtml(license)}">this license</a>: credit the wiki and link the page.</p>
${routes.map((route) => section(route, place)).join('\n')}</main></body></html>`
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      'Cache-Control': cacheControl(settings.cacheSeconds),
    },
    body: Buffer.from(body),
  }
}
