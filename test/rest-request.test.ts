import { BadParameter, BadRequest } from '@lectern/wiki/errors'
import { expect } from 'chai'
import fc from 'fast-check'
import type { AnyRoute, RequestContext } from '../src/rest/route.ts'
import { textParameter } from '../src/rest/routes/shared/parameters.ts'
import { patternOf, requestReader } from '../src/rest/transport/request.ts'

const parameter = textParameter('A text.')
const route = {
  parameters: { path: { ...parameter, in: 'path' }, q: parameter, limit: parameter },
} as unknown as AnyRoute
const reader = requestReader(route, patternOf('/api/v1/pages/{path}'))
const read = (query: string, path = 'x') =>
  reader(`/api/v1/pages/${path}${query === '' ? '' : `?${query}`}`, {} as RequestContext)
const valuesOf = (query: string, path = 'x') => read(query, path).values

const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof BadParameter || error instanceof BadRequest) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

describe('request parameters', () => {
  it('are decoded and normalized to NFC', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\u0000')),
        (value) => {
          expect(valuesOf(`q=${encodeURIComponent(value)}`).q).to.equal(value.normalize('NFC'))
          expect(valuesOf(new URLSearchParams({ q: value }).toString()).q).to.equal(value.normalize('NFC'))
          if (value !== '')
            expect(valuesOf('', encodeURIComponent(value)).path).to.equal(value.normalize('NFC'))
        },
      ),
    )
  })

  it('contain a plus sign in the path, and a space instead of it in the query', () => {
    expect(valuesOf('q=a+b%2Bc', 'a+b')).to.include({ path: 'a+b', q: 'a b+c' })
  })

  for (const [query, expected] of [
    ['q=1&q=2', 'q: appears more than once'],
    ['q=1&%71=2', 'q: appears more than once'],
    ['q[]=1', 'q: takes one value'],
    ['limit%5B0%5D=1', 'limit: takes one value'],
    ['q[a][b]', 'q: takes one value'],
    ['q=%', 'q: contains percent-encoding'],
    ['q=%FF', 'q: contains percent-encoding'],
    ['q=%ED%A0%80', 'q: contains percent-encoding'],
    ['q=a%00', 'q: must not contain U+0000'],
  ] as const) {
    it(`are refused by name: ${query}`, () => {
      expect(refusal(() => valuesOf(query))).to.include(expected)
    })
  }

  it('in the path are refused by name if they cannot be decoded', () => {
    expect(refusal(() => valuesOf('', '%C3'))).to.match(/^path: /)
    expect(refusal(() => valuesOf('', 'a%00'))).to.match(/^path: /)
  })

  it('that are unknown are ignored', () => {
    for (const query of ['x=1&x=2', '%FF=1', 'x[]=%FF', '&&&', '=', 'Q=%FF', '__proto__=1', 'qq=%'])
      expect(valuesOf(query), query).to.include({ q: '' })
  })
})
