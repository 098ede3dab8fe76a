import { Unavailable } from '../errors.ts'
import type { ServingDatabase } from './database.ts'

/** Whether a service can serve: the wiki can be read, and the service is not stopping. */
export const makeReadiness = (database: ServingDatabase) => {
  let isStopping = false
  return {
    /** @throws Unavailable if the wiki cannot be read, or after `end` */
    check: async () => {
      if (isStopping) throw new Unavailable('The service is stopping.')
      await database.ready()
    },
    end: () => {
      isStopping = true
    },
  }
}
