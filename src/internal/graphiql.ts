import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { packagePath } from '../paths.ts'
import { memoize } from '../shared/memoize.ts'

export const GRAPHQL_PATH = '/graphql'

/** GraphiQL as one HTML page. Loaded with the first request, because the page and its scripts take 9 MB. */
export const graphiqlPage = memoize(async () => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const defaultQuery = await readFile(packagePath('schema', 'graphiql.graphql'), 'utf8')
  const html = renderGraphiQL({
    title: 'Lectern: GraphiQL',
    endpoint: GRAPHQL_PATH,
    defaultQuery,
  })
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'))
  const hash = createHash('sha256').update(script).digest('base64')
  return {
    body: Buffer.from(html),
    // Allows only the page's own script, and no other origin. The editor starts its workers from blobs, and adds style
    // elements.
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src 'sha256-${hash}' blob:`,
      'worker-src blob:',
      "style-src 'unsafe-inline'",
      'img-src data:',
      'font-src data:',
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
})
