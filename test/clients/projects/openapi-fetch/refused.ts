import createClient from 'openapi-fetch'
import type { paths } from './generated/api.ts'

const { GET } = createClient<paths>()

/** Mistakes that must not compile. */
export const mistakes = async () => {
  // @ts-expect-error a namespace that there is not
  GET('/pages', { params: { query: { ns: 'talk' } } })
  // @ts-expect-error a number, not its digits
  GET('/recent', { params: { query: { limit: '1' } } })
  // @ts-expect-error a page needs its path
  GET('/pages/{path}')
  // @ts-expect-error an endpoint that there is not
  GET('/articles')
  const { data, error } = await GET('/revisions/{id}', { params: { path: { id: 'x' } } })
  // @ts-expect-error there may be no answer
  data.markdown
  // @ts-expect-error the first edit has no parent
  data?.parent.length
  // A code that is newer than this client.
  return error?.error.code === 'gone'
}
