import type { DocumentExamples } from '../openapi.ts'
import type { AnyRoute } from '../route.ts'
import { exampleAnswers } from './example-answers.ts'
import type { OwnApi } from './own-api.ts'

/** What the OpenAPI document shows of this wiki. @throws PublicError when the service is overloaded */
export const documentExamples = async (
  routes: readonly AnyRoute[],
  api: OwnApi,
): Promise<DocumentExamples> => {
  const values = await api.values()
  return { values, answers: api.isFirst ? {} : await exampleAnswers(routes, values, api.read) }
}

/** For a document without examples. @param locale the default language */
export const noExamples = (locale: string): DocumentExamples => ({
  values: { locale, otherLocale: locale, missingLocale: '', missingPath: '' },
  answers: {},
})
