import type { Answers, AnswersOf, Failure, FailuresOf, Open, Read, Same } from '../wiki-reader.ts'
import { wiki } from './fetch.ts'
import * as api from './generated/client.ts'

/** What a call answers with `Status`. */
type Data<Called, Status> = Called extends { status: Status; data: infer Answer } ? Answer : never

interface Called {
  status: number
  headers: Headers
  data: unknown
}

const read = async <Result extends Called>(
  call: Promise<Result>,
): Promise<Read<Data<Result, 200>, Data<Result, 400 | 404 | 405 | 429 | 431 | 500 | 503>>> => {
  const { status, headers, data } = await call
  const answer = status === 200 ? (data as Data<Result, 200>) : undefined
  const failure = status >= 400 ? (data as Data<Result, 400 | 404 | 405 | 429 | 431 | 500 | 503>) : undefined
  return { status, headers, answer, failure }
}

export const open = (baseUrl: string) => {
  wiki.baseUrl = baseUrl
  return {
    wiki: () => read(api.getWiki()),
    pages: (query: api.ListPagesParams) => read(api.listPages(query)),
    // Orval's client puts path parameters into the address as they are.
    page: (path: string, query: api.GetPageParams) => read(api.getPage(encodeURIComponent(path), query)),
    history: (path: string, query: api.ListPageHistoryParams) =>
      read(api.listPageHistory(encodeURIComponent(path), query)),
    revision: (id: string, query: api.GetRevisionParams) => read(api.getRevision(id, query)),
    search: (query: api.SearchPagesParams) => read(api.searchPages(query)),
    recent: (query: api.ListRecentEditsParams) => read(api.listRecentEdits(query)),
    category: (key: string, query: api.ListCategoryPagesParams) =>
      read(api.listCategoryPages(encodeURIComponent(key), query)),
    diff: (id: string, query: api.GetRevisionDiffParams) => read(api.getRevisionDiff(id, query)),
    changes: (query: api.ListChangesParams) => read(api.listChanges(query)),
    openapi: () => read(api.getOpenapi()),
  }
}

open satisfies Open
export const isExact: [
  Same<AnswersOf<ReturnType<typeof open>>, Answers>,
  Same<FailuresOf<ReturnType<typeof open>>, Failure>,
] = [true, true]
