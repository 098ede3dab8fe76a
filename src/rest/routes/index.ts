import type { AnyRoute } from '../route.ts'
import { category } from './category.ts'
import { history } from './history.ts'
import { page } from './page.ts'
import { pages } from './pages.ts'
import { recent } from './recent.ts'
import { revision } from './revision.ts'
import { search } from './search.ts'
import { wiki } from './wiki.ts'

/** Every GET of the API. Order matters where two paths match: history before page. */
export const routes: readonly AnyRoute[] = [wiki, pages, history, page, revision, search, recent, category]
