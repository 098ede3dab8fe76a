import { register } from 'node:module'

// The conformance suite imports `globSync`, which Node has from version 22 on, and uses it in none of its server tests.
const substitute = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined`
const hooks = `
export const resolve = (specifier, context, next) =>
  specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(substitute)}`)}, shortCircuit: true }
    : next(specifier, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
