import createClient from 'openapi-fetch'
import type { Answers, AnswersOf, Failure, FailuresOf, Open, Read, Same } from '../wiki-reader.ts'
import type { paths } from './generated/api.ts'

type Query<Path extends keyof paths> = NonNullable<paths[Path]['get']['parameters']['query']>

interface Called<Answer, Failed> {
  data?: Answer
  error?: Failed
  response: Response
}

const read = async <Answer, Failed>(call: Promise<Called<Answer, Failed>>): Promise<Read<Answer, Failed>> => {
  const { data, error, response } = await call
  return { status: response.status, headers: response.headers, answer: data, failure: error }
}

export const open = (baseUrl: string) => {
  const client = createClient<paths>({ baseUrl })
  return {
    wiki: () => read(client.GET('/')),
    pages: (query: Query<'/pages'>) => read(client.GET('/pages', { params: { query } })),
    page: (path: string, query: Query<'/pages/{path}'>) =>
      read(client.GET('/pages/{path}', { params: { path: { path }, query } })),
    history: (path: string, query: Query<'/pages/{path}/history'>) =>
      read(client.GET('/pages/{path}/history', { params: { path: { path }, query } })),
    revision: (id: string, query: Query<'/revisions/{id}'>) =>
      read(client.GET('/revisions/{id}', { params: { path: { id }, query } })),
    search: (query: Query<'/search'>) => read(client.GET('/search', { params: { query } })),
    recent: (query: Query<'/recent'>) => read(client.GET('/recent', { params: { query } })),
    category: (key: string, query: Query<'/categories/{key}'>) =>
      read(client.GET('/categories/{key}', { params: { path: { key }, query } })),
    diff: (id: string, query: Query<'/revisions/{id}/diff'>) =>
      read(client.GET('/revisions/{id}/diff', { params: { path: { id }, query } })),
    changes: (query: Query<'/changes'>) => read(client.GET('/changes', { params: { query } })),
    openapi: () => read(client.GET('/openapi.json')),
  }
}

open satisfies Open
export const isExact: [
  Same<AnswersOf<ReturnType<typeof open>>, Answers>,
  Same<FailuresOf<ReturnType<typeof open>>, Failure>,
] = [true, true]
