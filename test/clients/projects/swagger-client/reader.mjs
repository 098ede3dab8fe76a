import SwaggerClient from 'swagger-client'

/**
 * It generates nothing: methods are made when it reads the document, and nothing has a type.
 * @type {import('../wiki-reader.ts').Open}
 */
export const open = async (baseUrl) => {
  const { apis } = await new SwaggerClient({ url: `${baseUrl}/openapi.json` })
  return {
    wiki: () => read(apis.Wiki.getWiki()),
    pages: (query) => read(apis.Pages.listPages(query)),
    page: (path, query) => read(apis.Pages.getPage({ path, ...query })),
    history: (path, query) => read(apis.Edits.listPageHistory({ path, ...query })),
    revision: (id, query) => read(apis.Edits.getRevision({ id, ...query })),
    search: (query) => read(apis.Search.searchPages(query)),
    recent: (query) => read(apis.Edits.listRecentEdits(query)),
    category: (key, query) => read(apis.Pages.listCategoryPages({ key, ...query })),
    diff: (id, query) => read(apis.Edits.getRevisionDiff({ id, ...query })),
    changes: (query) => read(apis.Pages.listChanges(query)),
    openapi: () => read(apis.Wiki.getOpenapi()),
  }
}

/** It throws what is not 2xx; the answer is at the error. */
const read = async (call) => {
  const { response, ...answered } = await call.catch((error) => error)
  const { status, headers, body } = response ?? answered
  const told = { status, headers: new Headers(headers) }
  return status === 200
    ? { ...told, answer: body, failure: undefined }
    : { ...told, answer: undefined, failure: body }
}
