import type { MaybeOptionalInit } from 'openapi-fetch'
import { type ListsWithoutParameter, nextParameters, type paths } from './api.ts'
import { toApiError } from './errors.ts'
import type { InitWithoutParameter, Wiki } from './wiki.ts'

type ListPath = keyof typeof nextParameters
type Init<Path extends ListPath> = MaybeOptionalInit<paths[Path], 'get'>
type Item<Path extends ListPath> =
  paths[Path]['get']['responses'][200]['content']['application/json']['items'][number]

interface Part {
  data?: { items: unknown[]; next: string }
  error?: unknown
  response: Response
}

/**
 * The items of a list, to its end. It requests each part when its first item is needed.
 * @param init parameters as for `wiki.GET`; `limit` is that of a part
 * @throws ApiError if a response is an error; what `wiki.GET` rejects with
 */
export function paginate<Path extends keyof ListsWithoutParameter>(
  wiki: Wiki,
  path: Path,
  init?: InitWithoutParameter<Path>,
): AsyncGenerator<ListsWithoutParameter[Path]['list']['items'][number], void, void>
export function paginate<Path extends ListPath>(
  wiki: Wiki,
  path: Path,
  ...[init]: undefined extends Init<Path> ? [init?: Init<Path>] : [init: Init<Path>]
): AsyncGenerator<Item<Path>, void, void>
export async function* paginate<Path extends ListPath>(
  wiki: Wiki,
  path: Path,
  init?: object,
): AsyncGenerator<Item<Path>, void, void> {
  const get = wiki.GET as unknown as (path: Path, init: object) => Promise<Part>
  const { params = {}, ...options } = (init ?? {}) as { params?: { query?: object } }
  let query = params.query
  const parameter =
    (query as { order?: string } | undefined)?.order === 'asc' ? 'after' : nextParameters[path]
  for (;;) {
    const { data, error, response } = await get(path, { ...options, params: { ...params, query } })
    if (!data) throw toApiError(response, error)
    yield* data.items as Item<Path>[]
    if (data.next === '') return
    query = { ...query, [parameter]: data.next }
  }
}
