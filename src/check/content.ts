import { formatCount } from '@lectern/wiki/text'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { indexProblems, tablesWithoutStatistics, type WikiDiagnostics } from '../db/diagnostics.ts'
import { changedLanguages, searchDiagnostics } from '../search/index/reindex.ts'
import { attachmentDiagnostics } from '../wikijs/diagnostics.ts'
import { attachmentOf } from '../wikijs/follow.ts'
import { type Diagnostic, failure, listText, ok, warning } from './diagnostic.ts'

export const checkAttachment = async (database: Database): Promise<Diagnostic[]> => {
  const { isAttached, mayFollow } = await attachmentOf(database)
  if (!isAttached) return []
  if (!mayFollow)
    return [ok('wikijs', 'attached; for more checks, use the login that ran `lectern attach wikijs`')]
  const facts = await attachmentDiagnostics(database)
  const advice = 'Run `lectern attach wikijs`. Saves in Wiki.js wait until it ends.'
  if (facts === undefined)
    return [failure('wikijs', 'Another version of Lectern attached this Wiki.js.', advice)]
  const diagnostics: Diagnostic[] = []
  if (facts.disabledTriggers > 0)
    diagnostics.push(
      failure(
        'wikijs',
        `${formatCount(facts.disabledTriggers, 'trigger')} of Lectern ${facts.disabledTriggers === 1 ? 'is' : 'are'} disabled or missing: guests may see old or hidden pages.`,
        advice,
      ),
    )
  if (facts.missedChanges > 0)
    diagnostics.push(
      failure(
        'wikijs',
        `${formatCount(facts.missedChanges, 'page or rule', 'pages or rules')} changed while the triggers were off, for example in a restore: guests may see old pages.`,
        advice,
      ),
    )
  if (facts.missingIndexes.length > 0)
    diagnostics.push(
      failure(
        'wikijs',
        `Indexes are missing: ${listText(facts.missingIndexes)}. Saves in Wiki.js are slow.`,
        advice,
      ),
    )
  for (const pattern of facts.undecided)
    diagnostics.push(
      warning(
        'wikijs',
        `Lectern cannot decide the page rule ${pattern}, and hides every page that it could match.`,
        'Rewrite the rule without syntax that JavaScript and PostgreSQL read differently: docs/wikijs.md, Limits.',
      ),
    )
  return diagnostics.length > 0 ? diagnostics : [ok('wikijs', 'attached; all triggers work')]
}

export const checkSearch = async (
  database: Database,
  { locales }: WikiDiagnostics,
): Promise<Diagnostic[]> => {
  const { pages, stale } = await searchDiagnostics(database)
  const changed = await changedLanguages(database, locales)
  const advice = 'Run `lectern reindex`. The service keeps running meanwhile.'
  const diagnostics: Diagnostic[] = []
  if (stale > 0)
    diagnostics.push(
      warning(
        'search',
        `The search index is out of date for ${stale} of ${formatCount(pages, 'page')}.`,
        advice,
      ),
    )
  if (changed.length > 0)
    diagnostics.push(
      warning(
        'search',
        `The search index uses another text search configuration for ${listText(changed)} than this PostgreSQL offers.`,
        advice,
      ),
    )
  return diagnostics.length > 0 ? diagnostics : [ok('search', `${formatCount(pages, 'page')} indexed`)]
}

export const checkIndexes = async (database: Database): Promise<Diagnostic[]> => {
  const { missing, invalid } = await indexProblems(database)
  const diagnostics: Diagnostic[] = []
  if (missing.length > 0)
    diagnostics.push(
      failure(
        'indexes',
        `Indexes are missing: ${listText(missing)}.`,
        'Create them again with the statements in schema/migrations.',
      ),
    )
  for (const name of invalid)
    diagnostics.push(
      failure('indexes', `The index ${name} is invalid.`, `As the owner, run: reindex index wiki.${name};`),
    )
  return diagnostics.length > 0 ? diagnostics : [ok('indexes', 'all exist and are valid')]
}

export const checkStatistics = async (database: Database): Promise<Diagnostic[]> => {
  const tables = await tablesWithoutStatistics(database)
  if (tables.length === 0) return [ok('statistics', 'exist')]
  return [
    warning(
      'statistics',
      `PostgreSQL has no statistics for ${listText(tables)}, for example after a restore: lists and search may be slow.`,
      `As the owner, run: analyze ${tables.map((name) => `wiki.${name}`).join(', ')};`,
    ),
  ]
}

export const checkWiki = (
  { wikiAddresses, licenseUrl }: Config,
  { name, license, locales }: WikiDiagnostics,
): Diagnostic[] => {
  if (name === null && locales.length === 0)
    return [warning('wiki', 'The database holds no wiki.', 'Import one: `lectern import --help`.')]
  const diagnostics = [ok('wiki', `${name ?? 'no name'}: ${listText(locales)}`)]
  const withoutUrl = locales.filter((locale) => !(locale in wikiAddresses))
  const unknown = Object.keys(wikiAddresses).filter((locale) => !locales.includes(locale))
  if (withoutUrl.length > 0)
    diagnostics.push(
      warning(
        'wiki',
        `WIKI_ADDRESSES has no URL for ${listText(withoutUrl)}: links to these pages lead to the demo reader.`,
        `Set WIKI_ADDRESSES=${withoutUrl[0]}=https://wiki.example/… (put commas between languages).`,
      ),
    )
  if (unknown.length > 0)
    diagnostics.push(
      warning(
        'wiki',
        `WIKI_ADDRESSES names ${listText(unknown)}, but the wiki does not have this language.`,
        'Correct WIKI_ADDRESSES.',
      ),
    )
  if (license === null && licenseUrl === undefined)
    diagnostics.push(warning('wiki', 'The wiki has no license.', 'Set LICENSE_URL.'))
  return diagnostics
}
