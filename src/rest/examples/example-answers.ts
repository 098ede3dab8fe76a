import type { AnyRoute } from '../route.ts'
import type { ExampleValues } from './example-values.ts'
import type { ReadOwnApi } from './own-answer.ts'

/** What is left of long answers: a document with whole pages would be too large to read. */
const KEPT = { characters: 3_000, items: 30, answerCharacters: 30_000 }

/**
 * The answers to the examples of the routes, by URL. Long texts and lists are cut.
 * @throws PublicError when the service is overloaded
 */
export const exampleAnswers = async (
  routes: readonly AnyRoute[],
  values: ExampleValues,
  read: ReadOwnApi,
): Promise<Record<string, unknown>> => {
  const urls = routes.flatMap((route) => route.examples(values)).flatMap(({ url }) => url ?? [])
  const answers: Record<string, unknown> = {}
  for (let i = 0; i < urls.length; i += AT_A_TIME) {
    const some = urls.slice(i, i + AT_A_TIME)
    const found = await Promise.all(some.map((url) => answerOf(read, url)))
    for (const [n, url] of some.entries()) if (found[n] !== undefined) answers[url] = found[n]
  }
  return answers
}

/** Requests that one page sends at a time: others have their turn in between. */
const AT_A_TIME = 4

/** Undefined if there is none, or it is too long. */
const answerOf = async (read: ReadOwnApi, url: string): Promise<unknown> => {
  const { status, text } = await read(url)
  if (status !== 200) return undefined
  const answer = shortened(text.startsWith('{') ? JSON.parse(text) : text)
  return JSON.stringify(answer).length <= KEPT.answerCharacters ? answer : undefined
}

const shortened = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.length > KEPT.characters ? `${value.slice(0, KEPT.characters).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, KEPT.items).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
}
