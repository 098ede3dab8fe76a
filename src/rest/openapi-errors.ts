import { COMMON_HEADERS, type HeaderName, headerReferences } from './openapi-headers.ts'
import { errorSchema } from './response-schemas.ts'

/** An error that any operation may return. */
const errorComponent = (description: string, code: string, message: string, extra: HeaderName[] = []) => ({
  description,
  headers: headerReferences([...COMMON_HEADERS, ...extra]),
  content: { 'application/json': { schema: errorSchema, example: { error: { code, message } } } },
})

/** The `components.responses` of the document. */
export const errorResponses = {
  BadParameter: errorComponent(
    'A parameter is wrong; the message names it.',
    'bad_parameter',
    'limit: must be a whole number from 1 to 200',
  ),
  NotFound: errorComponent(
    'There is no such page, revision or category.',
    'not_found',
    'There is no such page in this language (en).',
  ),
  RateLimited: errorComponent(
    'Too many requests.',
    'rate_limited',
    'Too many requests: wait 12 s, then go on more slowly.',
    ['Retry-After'],
  ),
  Internal: errorComponent(
    'A defect of the service.',
    'internal',
    'Internal error. It has been logged; quote the X-Request-Id when you report it.',
  ),
  Unavailable: errorComponent(
    'The wiki cannot be read just now.',
    'unavailable',
    'The wiki cannot be read just now: try again in a moment.',
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
