import { BadParameter, NotFound, type PublicError, RateLimited, Unavailable } from '../errors.ts'
import { COMMON_HEADERS, type HeaderName, headerReferences } from './openapi-headers.ts'
import { toPublicError } from './responses.ts'
import { errorSchema } from './schemas/shared.ts'

/** An error that any operation may return. Its example is the body that the service sends for `error`. */
const errorComponent = (
  description: string,
  { code, message }: PublicError,
  extraHeaders: HeaderName[] = [],
) => ({
  description,
  headers: headerReferences([...COMMON_HEADERS, ...extraHeaders]),
  content: { 'application/json': { schema: errorSchema, example: { error: { code, message } } } },
})

/** The `components.responses` of the document. */
export const errorResponses = {
  BadParameter: errorComponent(
    'A parameter is invalid. The message names the parameter. Fix the request; retrying will not help.',
    new BadParameter('limit', 'must be a whole number from 1 to 200'),
  ),
  NotFound: errorComponent(
    'The page, revision, category or URL does not exist.',
    new NotFound('There is no such page in this language (en).'),
    ['Link'],
  ),
  RateLimited: errorComponent(
    'The client sent too many requests. Wait as long as `Retry-After` says.',
    new RateLimited(12),
    ['Retry-After'],
  ),
  Internal: errorComponent('A defect of the service. It has been logged.', toPublicError(undefined)),
  Unavailable: errorComponent(
    'The wiki is temporarily unavailable, or the service is overloaded. Wait as long as `Retry-After` says, then try again.',
    new Unavailable(),
    ['Retry-After'],
  ),
}

/** The errors of every operation, by status. */
export const errorReferences = {
  '400': { $ref: '#/components/responses/BadParameter' },
  '404': { $ref: '#/components/responses/NotFound' },
  '429': { $ref: '#/components/responses/RateLimited' },
  '500': { $ref: '#/components/responses/Internal' },
  '503': { $ref: '#/components/responses/Unavailable' },
} as const
