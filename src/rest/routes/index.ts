import type { AnyRoute } from '../route.ts'
import { atomRoute } from './atom.ts'
import { categoriesRoute } from './categories.ts'
import { categoryRoute } from './category.ts'
import { changesRoute } from './changes.ts'
import { diffRoute } from './diff.ts'
import { fileRoute } from './file.ts'
import { filesRoute } from './files.ts'
import { historyRoute } from './history.ts'
import { linksRoute } from './links.ts'
import { pageRoute } from './page.ts'
import { pagesRoute } from './pages.ts'
import { recentRoute } from './recent.ts'
import { revisionRoute } from './revision.ts'
import { searchRoute } from './search.ts'
import { suggestRoute } from './suggest.ts'
import { wikiRoute } from './wiki.ts'

/** All routes of the API. If two paths match, the first route wins: history comes before page, diff before revision. */
export const routes: readonly AnyRoute[] = [
  wikiRoute,
  pagesRoute,
  historyRoute,
  pageRoute,
  diffRoute,
  revisionRoute,
  searchRoute,
  suggestRoute,
  recentRoute,
  atomRoute,
  categoriesRoute,
  categoryRoute,
  linksRoute,
  filesRoute,
  fileRoute,
  changesRoute,
]
