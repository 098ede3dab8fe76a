import { ImportError } from '@lectern/wiki/errors'
import { TRANSFER_BATCH } from '@lectern/wiki/limits'
import { type PageKey, pageKey } from '@lectern/wiki/records'
import type { StoredContentQueries } from '@lectern/wiki/stored-content'
import { forShell } from '@lectern/wiki/text'
import { z } from 'zod'
import type { FileTree, TreeFile } from './file-tree.ts'
import {
  checkedLocaleOf,
  chosenKind,
  type FileSourceOptions,
  type Layout,
  layoutTarget,
  parseLayout,
} from './layouts.ts'
import { openMarkup, type TextMarkup } from './link-markup/markup.ts'
import { pageOfName } from './link-markup/relative-links.ts'
import { excludedBy, withExcluded } from './name-patterns.ts'
import type { FileNotes } from './notes.ts'
import { type Recognition, recognizeFiles } from './recognition/recognize.ts'
import type { FormerVaults } from './recognition/tree.ts'

export type PageFiles = { content: Recognition; layouts: Layout[]; markup: TextMarkup; name: string }

export const recognizePages = async (
  all: FileTree,
  options: FileSourceOptions,
  ownName: string,
  former?: FormerVaults,
): Promise<PageFiles> => {
  const { layouts: chosen, exclude = [], explicitPublish, wikitext, wikiLocale, now = Date.now() } = options
  const chosenLocale = checkedLocaleOf(options)
  const localeOf = (own = 'en') => chosenLocale ?? (wikiLocale?.startsWith(`${own}-`) ? wikiLocale : own)
  const isKept = ({ name }: TreeFile) => excludedBy(name, exclude).length === 0
  const kept = exclude.length > 0 ? { ...all, files: () => [...all.files()].filter(isKept) } : all
  const tree: FileTree = { ...kept, explicitPublish }
  const { prefix, docsVersion } = options
  const content = await recognizeFiles(tree, localeOf, chosen, former, now, prefix, docsVersion)
  content.leftOut = withExcluded(content.leftOut, exclude)
  if (content.configErrors(content.config).length > 0) content.config = ''
  if (chosenLocale === undefined && wikiLocale?.includes('-') && content.defaultLocale === wikiLocale) {
    const said = `The language of the pages is that of the wiki, ${wikiLocale}; --locale sets another.`
    content.message = content.message === null ? said : `${content.message} ${said}`
  }
  if (content.message !== null && chosenLocale === undefined)
    content.recognized = [[content.defaultLocale, ...content.layouts]]
  const layouts = content.layouts.map((text) => parseLayout(text, content.defaultLocale))
  const pageOf = pageOfName(layouts, content.leftOut)
  if (explicitPublish) content.includes.needsMark = (name) => pageOf(name) !== null
  const name = options.name ?? content.siteName ?? ownName
  const markup = openMarkup(tree, { ...content, siteName: name, layouts, wikitext })
  return { content, layouts, markup, name }
}

const storedState = z.object({
  obsidian: z
    .object({ vaults: z.string().array(), layouts: z.string().array(), hasComments: z.boolean().optional() })
    .default({ vaults: [], layouts: [], hasComments: false }),
  settings: z.record(z.string(), z.string().array()).default({}),
  recognized: z.string().array().array().default([]),
  due: z.number().optional(),
  exclude: z.string().array().default([]),
  explicitPublish: z.boolean().default(false),
  config: z.string().optional(),
})

/** When a page was to appear or disappear, as the state of the last import says; undefined: it does not. */
export const dueIn = (state: unknown): number | undefined => storedState.safeParse(state).data?.due

/** Adds to the state of a source what `asFormerly` needs, and when a page appears or disappears without a change. */
export const withVaults = (
  state: object | undefined,
  { vaults, hasComments, settings, recognized, shown, config }: Omit<Recognition, 'layouts'>,
  { layouts, exclude = [], explicitPublish }: FileSourceOptions,
): object | undefined => {
  const isNeeded = hasComments || vaults.length > 0 || shown.due || exclude.length > 0 || explicitPublish
  if (!state && !isNeeded) return undefined
  const obsidian = { vaults, layouts, hasComments }
  return { ...state, obsidian, settings, recognized, due: shown.due, exclude, explicitPublish, config }
}

type FormerContent = Omit<Recognition, 'layouts'> & {
  current: ReadonlyMap<PageKey, readonly { file: { name: string } }[]>
  notes: FileNotes
}

/**
 * Patterns of the last import, whether only that one published marked texts alone, and whether the site has since made a release; or
 * whether there was none.
 */
export type Formerly = {
  excluded: readonly string[]
  isFirst?: boolean
  wasExplicit?: boolean | undefined
  hasRelease?: boolean
}

/** In the layouts of Docusaurus, the version that the site shows. */
const VERSION = /\bversioned_docs\/version-[^/]+/

/** Layouts of earlier imports whose paths lead to the pages. */
const FORMER_LAYOUTS = 8

/**
 * What the last import took as vaults of Obsidian stays one: otherwise, a commit without their settings would publish what
 * they exclude, and comments, also those of old edits. What it took as something else becomes a vault by settings only, not by links: paths
 * and titles would change. Neither holds if the user has since said with `--layout` whether the files are a vault. Paths of
 * other recognized layouts stay former paths.
 * @throws ImportError if the configuration of the site, which the last import could read, is invalid now
 * @param content what was found without the last import @param find finds it as the last import took it
 * @returns also whether the texts have comments that the last import may have published, and what the last import hid
 */
export const asFormerly = async <Content extends FormerContent>(
  content: Content,
  state: unknown,
  { layouts, explicitPublish, stored }: FileSourceOptions,
  find: (former: FormerVaults) => Promise<Content>,
): Promise<{ content: Content; hasNewComments: boolean; formerly: Formerly }> => {
  const before = storedState.safeParse(state).data
  const { obsidian: last, settings = {}, recognized = [], exclude: excluded = [] } = before ?? {}
  const formerly: Formerly = {
    ...{ excluded, isFirst: state === null },
    wasExplicit: before?.explicitPublish && !explicitPublish,
  }
  const [broken] = before?.config ? content.configErrors(before.config) : []
  if (broken !== undefined)
    throw new ImportError(
      `The configuration of the site is invalid: ${broken}. It was valid at the last import, so nothing is imported until it is repaired or removed.`,
    )
  const found = async (content: Content) => {
    const [current] = content.recognized
    const former = recognized.filter((one) => String(one) !== String(current)).slice(-FORMER_LAYOUTS)
    content.recognized.unshift(...former)
    for (const [locale, ...texts] of current ? former : [])
      content.formerLayouts.push(texts.map((text) => parseLayout(text, locale!)))
    if (current && stored && recognized.at(-1) === former.at(-1))
      await noteOtherPaths(content, former.at(-1), stored())
    const versions = [recognized.at(-1), current].map((one) => one && (VERSION.exec(String(one))?.[0] ?? ''))
    formerly.hasRelease = !versions.includes(undefined) && versions[0] !== versions[1]
    return { content, hasNewComments: content.hasComments && !last?.hasComments, formerly }
  }
  if (last === undefined || (chosenKind(layouts) !== null && String(layouts) !== String(last.layouts)))
    return found(content)
  const { vaults, hasComments = true } = last
  const hasSettings = Object.keys(settings).every((file) => file in content.settings)
  const isSame = hasSettings && JSON.stringify(vaults) === JSON.stringify(content.vaults)
  const again =
    isSame && (content.hasComments || !hasComments) ? content : await find({ vaults, hasComments, settings })
  const isKept = again.vaults.some((folder) => !content.vaults.includes(folder))
  const staysHidden = isKept || (again.hasComments && !content.hasComments)
  if (staysHidden && again.siteNotes.some(([kind, { length }]) => kind.endsWith('comment') && length > 0))
    again.notes.add('kept vault')
  else if (again.vaults.length > 0 && vaults.length === 0) again.notes.add('new vault')
  else if (again.vaults.length < content.vaults.length) again.notes.add('no vault')
  return found(again)
}

/** Notes that stored pages get other paths than in the layouts of the last import. */
const noteOtherPaths = async (
  { current, defaultLocale, formerLayouts, notes }: FormerContent,
  [locale, ...texts]: string[] = [],
  stored: StoredContentQueries,
): Promise<void> => {
  const former = [...current].flatMap(([page, [first]]) => {
    const target = layoutTarget(formerLayouts.at(-1) ?? [], first!.file.name)
    return target && pageKey(target) !== pageKey(page) ? target : []
  })
  const ofLocale = locale === defaultLocale ? [] : [`--locale ${locale}`]
  const options = [...texts.map((text) => `--layout ${forShell(text)}`), ...ofLocale]
  for (let start = 0; start < former.length; start += TRANSFER_BATCH.pages) {
    const pages = await stored.storedPages(former.slice(start, start + TRANSFER_BATCH.pages))
    if (pages.some(({ liveId }) => liveId !== null)) return notes.add('other layout', options, options.length)
  }
}
