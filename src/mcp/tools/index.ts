import type { Tool } from '../tool.ts'
import { compareRevisionsTool } from './compare-revisions.ts'
import { linksTool } from './links.ts'
import { listPagesTool } from './list-pages.ts'
import { pageHistoryTool } from './page-history.ts'
import { readPageTool } from './read-page.ts'
import { recentChangesTool } from './recent-changes.ts'
import { searchTool } from './search.ts'

/** All tools, in the order in which agents see them. */
export const mcpTools: readonly Tool[] = [
  searchTool,
  readPageTool,
  pageHistoryTool,
  compareRevisionsTool,
  recentChangesTool,
  listPagesTool,
  linksTool,
]
