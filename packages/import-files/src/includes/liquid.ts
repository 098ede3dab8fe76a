import { decodeText } from '@lectern/wiki/import/text-encoding'
import { LRUCache } from 'lru-cache'
import { blockOf, isPublic, readFrontMatter } from '../files/front-matter.ts'
import type { LiquidFile, LiquidResult } from '../markups/liquid.ts'
import { convertInThread } from '../markups/thread.ts'
import { type IncludableFiles, type Includes, namesOf, parameterFiles } from './names.ts'

/** A tag, or a value, except those that the dialect shows. */
const LIQUID =
  /\{%-?\s{0,20}(?!(?:link|post_url|(?:end)?highlight)\b)\w|\{\{(?!-?[ \t]{0,20}(?:site\.(?:base)?url[ \t]{0,20}|['"][^'"{}]{0,500}['"][ \t]{0,20}\|[ \t]{0,20}(?:relative|absolute)_url[ \t]{0,20})-?\}\})/

/** Bytes of a file with values, and of all files of a text; how many it names; how often it is evaluated, each time with those that it, or the last text of the page, named before. */
const LIMITS = { values: 64 * 1024, bytes: 1024 * 1024, files: 1_000, rounds: 12 } as const
/** What Jekyll reads also if the configuration excludes it. */
const READ = /(?:^|\/)(?:_includes\/|_config\.ya?ml$)/
/** What the last text of a page named. */
const lastKeys = new LRUCache<string, string[]>({ max: 10_000 })
const VALUES = /^_(?:config|data)\b/
const DATA = ['yml', 'yaml', 'json', 'csv', 'tsv']

/** What a text of Jekyll shows. @returns null if it has no Liquid, is invalid, or takes too much @throws never */
export const renderLiquid = async (
  text: string,
  page: string,
  includes: Includes,
  source: IncludableFiles,
): Promise<LiquidResult | null> => {
  if (!LIQUID.test(text)) return null
  const { base, content: folder } = includes.folders
  const isUsable = ([name, content]: readonly [string, string | null]) =>
    content !== null && (name === page || READ.test(name) || !includes.hidden?.test(name))
  const namesIn = (key: string): string[] => {
    if (key === 'page' || key === '_config') return parameterFiles(key, page, includes.folders)
    if (!key.startsWith('_data/')) return namesOf(key, 'liquid', [page, page], includes.folders)
    return [...new Set([folder, base])].flatMap((one) => DATA.map((extension) => `${one}${key}.${extension}`))
  }
  const files = new Map<string, LiquidFile | null>()
  // The walk through a history reads the front matter, too.
  const start = blockOf(text)?.end ?? 0
  let keys = lastKeys.get(page) ?? []
  let left: number = LIMITS.bytes
  for (let round = 0; round < LIMITS.rounds && files.size + keys.length <= LIMITS.files; round++) {
    const wanted = keys.map((key) => ({ key, names: namesIn(key) }))
    const contents = keys.length === 0 ? [] : [...(await source.find(wanted.flatMap(({ names }) => names)))]
    for (const { key, names } of wanted) {
      const [name, content] =
        names.map((one) => [one, contents.shift() ?? null] as const).find(isUsable) ?? []
      const most = VALUES.test(key) && !name?.endsWith('.json') ? LIMITS.values : left
      const bytes = content ? await source.read(content, Math.min(most, left)) : null
      left -= bytes?.length ?? 0
      files.set(key, name && bytes && !bytes.includes(0) ? shownPart(key, name, bytes, includes) : null)
    }
    const task = { text: text.slice(start), path: page.slice(folder.length), files }
    const result = await convertInThread<LiquidResult>(task, './liquid.js')
    keys = result?.wanted ?? []
    if (keys.length > 0) continue
    lastKeys.set(page, [...files.keys()])
    return result && { ...result, text: text.slice(0, start) + result.text }
  }
  return null
}

/** The front matter of the page; a file with values; the text of another one. Null: it is a draft. */
const shownPart = (key: string, name: string, bytes: Buffer, { needsMark }: Includes): LiquidFile | null => {
  const { text } = decodeText(bytes)
  if (VALUES.test(key)) return { name, text }
  const front = readFrontMatter(text)
  if (!isPublic(front, needsMark?.(name))) return null
  return { name, text: key === 'page' ? (blockOf(text)?.inner ?? '') : text.slice(front.end) }
}
