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
  const answers: Record<string, unknown> = {}
  for (const { url } of routes.flatMap((route) => route.examples(values))) {
    if (url === undefined) continue
    const { status, text } = await read(url)
    if (status !== 200) continue
    const answer = shortened(text.startsWith('{') ? JSON.parse(text) : text)
    if (JSON.stringify(answer).length <= KEPT.answerCharacters) answers[url] = answer
  }
  return answers
}

const shortened = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.length > KEPT.characters ? `${value.slice(0, KEPT.characters).toWellFormed()}…` : value
  if (Array.isArray(value)) return value.slice(0, KEPT.items).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
}
