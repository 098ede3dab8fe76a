import type { z } from 'zod'
import type { errorSchema } from '../../../src/rest/openapi/components.ts'
import type { openapiSchema } from '../../../src/rest/openapi/openapi.ts'
import type { categoryRoute } from '../../../src/rest/routes/category.ts'
import type { changesRoute } from '../../../src/rest/routes/changes.ts'
import type { diffRoute } from '../../../src/rest/routes/diff.ts'
import type { historyRoute } from '../../../src/rest/routes/history.ts'
import type { pageRoute } from '../../../src/rest/routes/page.ts'
import type { pagesRoute } from '../../../src/rest/routes/pages.ts'
import type { recentRoute } from '../../../src/rest/routes/recent.ts'
import type { revisionRoute } from '../../../src/rest/routes/revision.ts'
import type { searchRoute } from '../../../src/rest/routes/search.ts'
import type { wikiRoute } from '../../../src/rest/routes/wiki.ts'

/** What every generated client must be able to do, in the types that the service itself is checked by. */

export interface Answers {
  wiki: BodyOf<typeof wikiRoute>
  pages: BodyOf<typeof pagesRoute>
  page: BodyOf<typeof pageRoute>
  history: BodyOf<typeof historyRoute>
  revision: BodyOf<typeof revisionRoute>
  search: BodyOf<typeof searchRoute>
  recent: BodyOf<typeof recentRoute>
  category: BodyOf<typeof categoryRoute>
  diff: BodyOf<typeof diffRoute>
  changes: BodyOf<typeof changesRoute>
  openapi: z.infer<typeof openapiSchema>
}

export type Failure = Published<typeof errorSchema>

type BodyOf<Route extends { responseSchema?: z.ZodType }> = Published<NonNullable<Route['responseSchema']>>

/** Lists of known words may grow, so clients get any text; the version of the API and the types of changes are what they are. */
type Published<Shape extends z.ZodType> = Opened<z.infer<Shape>>
type Opened<T> = T extends '1' | 'upsert' | 'gone'
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
  diff: (id: string, query: { from?: string }) => Reading<'diff'>
  changes: (query: { limit?: number; after?: string }) => Reading<'changes'>
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
