import type { z } from 'zod'
import type { historyListSchema, recentListSchema, revisionSchema } from '../../../src/rest/schemas/edits.ts'
import type { categoryListSchema, pageListSchema, pageSchema } from '../../../src/rest/schemas/pages.ts'
import type { searchListSchema } from '../../../src/rest/schemas/search.ts'
import type { errorSchema, openapiSchema } from '../../../src/rest/schemas/shared.ts'
import type { wikiSchema } from '../../../src/rest/schemas/wiki.ts'

/** What every generated client must be able to do, in the types that the service itself is checked by. */

export interface Answers {
  wiki: Published<typeof wikiSchema>
  pages: Published<typeof pageListSchema>
  page: Published<typeof pageSchema>
  history: Published<typeof historyListSchema>
  revision: Published<typeof revisionSchema>
  search: Published<typeof searchListSchema>
  recent: Published<typeof recentListSchema>
  category: Published<typeof categoryListSchema>
  openapi: z.infer<typeof openapiSchema>
}

export type Failure = Published<typeof errorSchema>

/** Lists of known words may grow, so clients get any text; the version of the API is what it is. */
type Published<Shape extends z.ZodType> = Opened<z.infer<Shape>>
type Opened<T> = T extends '1'
  ? T
  : T extends string
    ? string
    : T extends object
      ? { [Name in keyof T]: Opened<T[Name]> }
      : T

/** What a call gave: an answer, or else why there is none. */
export interface Read<Answer, Failed = Failure> {
  status: number
  headers: Headers
  answer: Answer | undefined
  failure: Failed | undefined
}

type Reading<Name extends keyof Answers> = Promise<Read<Answers[Name]>>
type Format = 'markdown' | 'html' | 'both'

export interface WikiReader {
  wiki: () => Reading<'wiki'>
  pages: (query: {
    ns?: 'main' | 'template' | 'page_template' | 'module'
    locale?: string
    limit?: number
    after?: string
  }) => Reading<'pages'>
  page: (path: string, query: { locale?: string; format?: Format }) => Reading<'page'>
  history: (path: string, query: { locale?: string; limit?: number; before?: string }) => Reading<'history'>
  revision: (id: string, query: { format?: Format }) => Reading<'revision'>
  search: (query: {
    q?: string
    locale?: string
    all?: boolean
    limit?: number
    offset?: number
  }) => Reading<'search'>
  recent: (query: { locale?: string; limit?: number; before?: string }) => Reading<'recent'>
  category: (key: string, query: { locale?: string; limit?: number; after?: string }) => Reading<'category'>
  openapi: () => Reading<'openapi'>
}

/** What a project exports. */
export type Open = (baseUrl: string) => WikiReader | Promise<WikiReader>

/** True only for types that are the same to the last `?`, `null` and word of an enum; `any` is like none. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

// biome-ignore lint/suspicious/noExplicitAny: whatever a method takes
type Method = (...values: any[]) => Promise<Read<unknown, unknown>>

/** The types that a generated client gives to answers. */
export type AnswersOf<Reader extends Record<keyof Answers, Method>> = {
  [Name in keyof Answers]: Exclude<Awaited<ReturnType<Reader[Name]>>['answer'], undefined>
}

/** The types that it gives to failures. */
export type FailuresOf<Reader extends Record<keyof Answers, Method>> = Exclude<
  Awaited<ReturnType<Reader[keyof Answers]>>['failure'],
  undefined
>
