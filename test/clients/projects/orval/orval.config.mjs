export default {
  wiki: {
    input: `${process.env.WIKI_API}/openapi.json`,
    output: {
      target: 'generated/client.ts',
      client: 'fetch',
      override: { mutator: { path: './fetch.ts', name: 'fetchFromWiki', extension: '.js' } },
    },
  },
}
