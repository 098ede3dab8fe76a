import type { Answer } from '../answers.ts'
import type { Place } from '../route.ts'
import type { ReadyAnswer } from '../send.ts'
import type { PageName } from './addresses.ts'

/** Pages for people and what they load. Their code is loaded when one is first asked for: a start does not wait for it. */
export const site = {
  page: async (name: PageName, path: string, place: Place): Promise<Answer> =>
    (await import('./pages.ts')).pageAnswer(name, path, place),
  /** Undefined: there is no such asset, or it was another version's. */
  asset: async (path: string): Promise<ReadyAnswer | undefined> =>
    (await (await import('./assets.ts')).assets()).byPath.get(path),
}
