import { formatCount, quote } from '@lectern/wiki/text'
import { nameWithOrigin } from '../config/messages.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { indexProblems, listedNames, type WikiDiagnostics } from '../db/diagnostics.ts'
import { statement } from '../db/statements.ts'
import { packagePath } from '../paths.ts'
import { changedLanguages, searchDiagnostics } from '../search/index/reindex.ts'
import { attachmentDiagnostics } from '../wikijs/attach.ts'
import { attachmentOf } from '../wikijs/follow.ts'
import { type Diagnostic, failure, listText, ok, problemsOr, skipped, warning } from './diagnostic.ts'

export const checkAttachment = async (database: Database): Promise<Diagnostic[]> => {
  const { isAttached, mayFollow } = await attachmentOf(database)
  if (!isAttached) return []
  if (!mayFollow)
    return [ok('wikijs', 'attached; for more checks, use the login that ran `lectern attach wikijs`')]
  const facts = await attachmentDiagnostics(database)
  const advice = 'Run `lectern attach wikijs`. Saves in Wiki.js wait until it ends.'
  const wrong = (message: string) => failure('wikijs', message, advice)
  if (facts === undefined) return [wrong('Another version of Lectern attached this Wiki.js.')]
  const { disabledTriggers, missedChanges, missingIndexes, undecided } = facts
  return problemsOr(
    [
      disabledTriggers > 0 &&
        wrong(
          `${formatCount(disabledTriggers, 'trigger')} of Lectern ${disabledTriggers === 1 ? 'is' : 'are'} disabled or missing: guests may see old or hidden pages.`,
        ),
      missedChanges > 0 &&
        wrong(
          `${formatCount(missedChanges, 'page or rule', 'pages or rules')} changed while the triggers were off, for example in a restore: guests may see old pages.`,
        ),
      missingIndexes.length > 0 &&
        wrong(`Indexes are missing: ${listText(missingIndexes)}. Saves in Wiki.js are slow.`),
      ...undecided.map((pattern) =>
        warning(
          'wikijs',
          `Lectern cannot decide the page rule ${pattern}, and hides every page that it could match.`,
          `Rewrite the rule without syntax that JavaScript and PostgreSQL read differently: ${packagePath('docs', 'wikijs.md')}, Limits.`,
        ),
      ),
    ],
    ok('wikijs', 'attached; all triggers work'),
  )
}

export const checkSearch = async (database: Database, { locales }: WikiDiagnostics) => {
  const { pages, stale } = await searchDiagnostics(database)
  const changed = await changedLanguages(database, locales)
  const outdated = (message: string) =>
    warning('search', message, 'Run `lectern reindex`. The service keeps running meanwhile.')
  return problemsOr(
    [
      stale > 0 && outdated(`The search index is out of date for ${stale} of ${formatCount(pages, 'page')}.`),
      changed.length > 0 &&
        outdated(
          `The search index uses another text search configuration for ${listText(changed)} than this PostgreSQL offers.`,
        ),
    ],
    ok('search', `${formatCount(pages, 'page')} indexed, of all namespaces but categories`),
  )
}

export const checkIndexes = async (database: Database): Promise<Diagnostic[]> => {
  const { missing, invalid } = await indexProblems(database)
  const wrong = (message: string, sql: string) => failure('indexes', message, `As the owner, run:\n${sql}`)
  const statements = [...missing.values()].join('\n')
  return problemsOr(
    [
      missing.size > 0 && wrong(`Indexes are missing: ${listText([...missing.keys()])}.`, statements),
      ...invalid.map((name) => wrong(`The index ${name} is invalid.`, `reindex index wiki.${name};`)),
    ],
    ok('indexes', 'all exist and are valid'),
  )
}

export const checkStatistics = async (database: Database, isOwner: boolean): Promise<Diagnostic[]> => {
  if (!isOwner) return [skipped('statistics', 'only the owner of the database can see them')]
  const tables = await listedNames(database, statement('check_statistics'))
  if (tables.length === 0) return [ok('statistics', 'exist')]
  const message = `PostgreSQL has no statistics for ${listText(tables)}, for example after a restore: lists and search may be slow.`
  const advice = `As the owner, run:\nanalyze ${tables.map((name) => `wiki.${name}`).join(', ')};`
  return [warning('statistics', message, advice)]
}

export const checkExamplePage = async (
  { examplePage }: Config,
  database: Database,
  { locales }: WikiDiagnostics,
): Promise<Diagnostic[]> => {
  if (examplePage === undefined || locales.length === 0) return []
  const paths = locales.map(() => examplePage)
  if ((await database.query(statement('listed_page'), [locales, paths])).length > 0) return []
  const message = `${nameWithOrigin('EXAMPLE_PAGE')}: there is no page "${quote(examplePage)}", so examples show another one.`
  return [warning('wiki', message, 'Set it to a `path` that GET /pages lists.')]
}

export const checkWiki = (
  { wikiAddresses, licenseUrl }: Config,
  { name, license, locales }: WikiDiagnostics,
): Diagnostic[] => {
  if (name === null && locales.length === 0)
    return [warning('wiki', 'The database holds no wiki.', 'Import one: `lectern import --help`.')]
  const hasWebsite = Object.keys(wikiAddresses).length > 0
  const withoutUrl = locales.filter((locale) => hasWebsite && !(locale in wikiAddresses))
  const unknown = Object.keys(wikiAddresses).filter((locale) => !locales.includes(locale))
  const problem = (message: string, advice: string) => warning('wiki', message, advice)
  const problems = [
    withoutUrl.length > 0 &&
      problem(
        `WIKI_ADDRESSES has no URL for ${listText(withoutUrl)}: links to these pages lead to the reader.`,
        `Set WIKI_ADDRESSES=${withoutUrl[0]}=https://wiki.example/… (put commas between languages).`,
      ),
    unknown.length > 0 &&
      problem(
        `WIKI_ADDRESSES names ${listText(unknown)}, but the wiki does not have this language.`,
        'Correct WIKI_ADDRESSES.',
      ),
    license === null && licenseUrl === undefined && problem('The wiki has no license.', 'Set LICENSE_URL.'),
  ]
  return [
    ok('wiki', `${name ?? 'no name'}: ${listText(locales)}`),
    ...problems.filter((one) => one !== false),
  ]
}
