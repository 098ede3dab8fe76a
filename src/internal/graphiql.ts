import { createHash } from 'node:crypto'
import { memoize } from '../shared/memoize.ts'

export const GRAPHQL_PATH = '/graphql'

const FIRST_QUERY = `# Live pages and accepted edits: what a guest of the wiki sees.
# Ctrl-Space suggests fields, Ctrl-Enter runs the query.
query Overview {
  wiki { name license locales { locale name } }
  recent(first: 5) {
    items {
      createdAt
      author { name }
      comment
      page { path title url }
    }
  }
}
`

/** GraphiQL as one HTML page. Loaded with the first request, because the page and its scripts take 9 MB. */
export const graphiqlPage = memoize(async () => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const html = renderGraphiQL({
    title: 'Lectern: GraphiQL',
    endpoint: GRAPHQL_PATH,
    defaultQuery: FIRST_QUERY,
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
