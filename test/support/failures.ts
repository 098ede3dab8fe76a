import { UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'

/** The error with which something fails. Fails when it does not. */
export const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('did not fail'),
    (error: Error) => error,
  )

/** The message of the error of a user with which something fails. */
export const usageErrorOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await failureOf(work)
  expect(error).to.be.instanceOf(UsageError)
  return error.message
}
