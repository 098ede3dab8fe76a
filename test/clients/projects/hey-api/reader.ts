import type { Answers, AnswersOf, Failure, FailuresOf, Open, Read, Same } from '../wiki-reader.ts'
import { createClient } from './generated/client/index.ts'
import * as sdk from './generated/index.ts'

type Called<Answer, Failed> = ({ data: Answer; error: undefined } | { data: undefined; error: Failed }) & {
  response: Response
}

const read = async <Answer, Failed>(call: Promise<Called<Answer, Failed>>): Promise<Read<Answer, Failed>> => {
  const { data, error, response } = await call
  return { status: response.status, headers: response.headers, answer: data, failure: error }
}

export const open = (baseUrl: string) => {
  const client = createClient({ baseUrl })
  return {
    wiki: () => read(sdk.getWiki({ client })),
    pages: (query: sdk.ListPagesData['query']) => read(sdk.listPages({ client, query })),
    page: (path: string, query: sdk.GetPageData['query']) =>
      read(sdk.getPage({ client, path: { path }, query })),
    history: (path: string, query: sdk.ListPageHistoryData['query']) =>
      read(sdk.listPageHistory({ client, path: { path }, query })),
    revision: (id: string, query: sdk.GetRevisionData['query']) =>
      read(sdk.getRevision({ client, path: { id }, query })),
    search: (query: sdk.SearchPagesData['query']) => read(sdk.searchPages({ client, query })),
    recent: (query: sdk.ListRecentEditsData['query']) => read(sdk.listRecentEdits({ client, query })),
    category: (key: string, query: sdk.ListCategoryPagesData['query']) =>
      read(sdk.listCategoryPages({ client, path: { key }, query })),
    diff: (id: string, query: sdk.GetRevisionDiffData['query']) =>
      read(sdk.getRevisionDiff({ client, path: { id }, query })),
    changes: (query: sdk.ListChangesData['query']) => read(sdk.listChanges({ client, query })),
    openapi: () => read(sdk.getOpenapi({ client })),
  }
}

/** This generator makes a pair of a list of two numbers, which is more exact. Everything else must be the same. */
type PairsAsLists<T> = T extends [number, number]
  ? number[]
  : T extends object
    ? { [Name in keyof T]: PairsAsLists<T[Name]> }
    : T

open satisfies Open
export const isExact: [
  Same<PairsAsLists<AnswersOf<ReturnType<typeof open>>>, Answers>,
  Same<FailuresOf<ReturnType<typeof open>>, Failure>,
] = [true, true]
