import { resolveSegments, segmentsOf } from '@lectern/wiki/folders'
import { pageDestination } from '@lectern/wiki/import/markdown'
import { decodeText } from '@lectern/wiki/import/text-encoding'
import { TEXT_BYTES_MAX } from '@lectern/wiki/limits'
import { type PageKey, pageKey } from '@lectern/wiki/records'
import { type FileTree, folderOf, stepsTo, type TreeFile } from '../files/file-tree.ts'
import { placeAfter } from '../files/name-patterns.ts'
import { GROUPS_MAX } from '../files/recognition/navigation.ts'
import { pythonSetting } from '../files/recognition/sites.ts'
import { expandIncludes } from '../includes/expand.ts'
import type { IncludableFiles, Includes } from '../includes/names.ts'
import { markupOf, type RstDefinitions, type RstReferences, type RstSection } from './markup.ts'
import { mystSections } from './myst.ts'
import { rstNamesOf, treeEntries } from './rst.ts'

interface RstDocument extends RstSection {
  file: string
  page: PageKey
  /** What its trees name. */
  entries: ReturnType<typeof treeEntries>
}

/** Patterns of one text, and of all trees for the order, that are compared with the names of all texts. */
const PATTERNS_MAX = { text: 20, order: 100 }

/** The texts of a site of Sphinx that guests see, their labels, and their order. */
export class RstSite {
  readonly #labels = new Map<string, RstSection>()
  readonly #documents = new Map<string, RstDocument>()
  readonly #root: string
  readonly #written: string
  readonly #definitions: RstDefinitions

  /** @param root the folder of the texts, empty or with a slash at the end @param code of `conf.py`, which is not executed */
  constructor(root: string, code: string) {
    this.#root = root
    this.#written = definitionsIn(code)
    this.#definitions = rstNamesOf(this.#written)
  }

  /** Adds a text with its includes. The first text with a label counts. */
  add(file: string, page: PageKey, text: string): void {
    const { locale } = page
    const to = pageDestination(locale, page.path, '')
    const { labels, title } =
      markupOf(file) === 'rst' ? rstNamesOf(text, this.of('', '')) : mystSections(text)
    const entries = treeEntries(text)
    this.#documents.set(withoutExtension(file), { file, page, title, to, entries })
    for (const [label, section] of labels) {
      const key = `${locale} ${label}`
      if (!this.#labels.has(key)) this.#labels.set(key, { ...section, to: to + section.to })
    }
  }

  /** What a text can refer to. */
  of(file: string, locale: string, left = { patterns: PATTERNS_MAX.text }): RstReferences {
    return {
      definitions: this.#definitions,
      label: (name) => this.#labels.get(`${locale} ${name}`),
      documents: (target) => {
        const folder = segmentsOf(target.startsWith('/') ? this.#root : folderOf(file))
        const name = resolveSegments(folder, target)?.join('/') ?? ''
        // Several sites can have one configuration, each in a folder next to it.
        const other = name.replace(this.#root, file.slice(0, file.indexOf('/', this.#root.length) + 1))
        const names = [name, withoutExtension(name), other, withoutExtension(other)]
        const named = names.map((one) => this.#documents.get(one)).find(Boolean)
        if (named || !name.includes('*') || left.patterns === 0) return named ? [named] : []
        left.patterns -= 1
        const own = withoutExtension(file)
        const found = [...this.#documents].filter(([one]) => one !== own && isLike(one, name))
        return found.map(([, document]) => document)
      },
    }
  }

  /** The paths of pages and folders in the order of the trees, from the front page on, and the captions of pages. */
  get navigation() {
    const groups = new Map<string, string[]>()
    const order = new Set<RstDocument>()
    const front = ['contents', 'index'].flatMap((name) => this.#documents.get(this.#root + name) ?? [])
    const next = [...this.#documents.values()].reverse().concat(front)
    const left = { patterns: PATTERNS_MAX.order }
    for (let document = next.pop(); document !== undefined; document = next.pop()) {
      if (order.has(document)) continue
      order.add(document)
      const { documents } = this.of(document.file, '', left)
      const captions = new Set(document.entries.map(({ caption }) => caption).filter(Boolean))
      // Below the front page, captions are in the group of their page, of which the only one says nothing more.
      const isShown = front.includes(document) || (document.title !== null && captions.size > 1)
      const around = front.includes(document)
        ? []
        : [...(groups.get(pageKey(document.page)) ?? []), `${document.title}`]
      const below = document.entries.flatMap(({ target, caption }) => {
        const found = documents(target) as RstDocument[]
        for (const { page } of caption !== '' && isShown ? found : [])
          groups.set(pageKey(page), groups.get(pageKey(page)) ?? [...around, caption].slice(-GROUPS_MAX))
        return found
      })
      next.push(...below.reverse())
    }
    return { groups, order: [...new Set([...order].flatMap(({ page }) => stepsTo(page.path)))] }
  }

  get digest(): string {
    const documents = [...this.#documents].map(([name, { title, to }]) => [name, title, to])
    return JSON.stringify([[...this.#labels], documents, this.#written])
  }
}

/** What a configuration defines, in reStructuredText, where it is a text in Python, and not the result of code. */
const definitionsIn = (code: string): string => {
  const texts = ['rst_prolog', 'rst_epilog'].flatMap((name) => pythonSetting(code, name) ?? [])
  const versions = ['version', 'release', 'today'].flatMap((name) => {
    const other = new RegExp(`^${name}\\s{0,9}=\\s{0,9}(\\w{1,50})\\s{0,9}$`, 'm').exec(code)?.[1]
    const value = pythonSetting(code, name) ?? pythonSetting(code, other ?? name)
    return value ? `.. |${name}| replace:: ${value}` : []
  })
  const role = pythonSetting(code, 'default_role')
  const [list = ''] = /^extlinks\s{0,9}=\s{0,9}\{[\s\S]{0,20000}?^\}/m.exec(code) ?? []
  const links = Array.from(list.matchAll(EXTERNAL_LINK), ([, name, url, caption = url]) =>
    [`.. role:: ${name}(link)`, `   :url: ${url}`, `   :caption: ${caption}`].join('\n'),
  )
  return [...texts, ...versions, ...(role ? [`.. default-role:: ${role}`] : []), ...links].join('\n\n')
}

/** `'issue': ('https://git.example/issues/%s', '#%s')` */
const EXTERNAL_LINK =
  /["']([\w-]{1,50})["']\s{0,50}:\s{0,50}\(\s{0,50}["'](https?:[^"'\n]{1,500})["']\s{0,50},\s{0,50}(?:["']([^"'\n]{0,200})["'])?/g

const withoutExtension = (file: string): string => file.replace(/(?<=[^/])\.\w+$/, '')

/** Whether a name has the parts of a pattern with `*`, in as many folders unless it has `**`. */
const isLike = (name: string, pattern: string): boolean => {
  const parts = pattern.split(/\*+/)
  const isDeep = pattern.includes('**') || name.split('/').length === pattern.split('/').length
  return isDeep && placeAfter(name, parts) >= 0 && name.endsWith(parts.at(-1)!)
}

/** @param tree without drafts @param pageOf null: a file is no page */
export const readRstSite = async (
  tree: FileTree,
  pageOf: (file: string) => PageKey | null,
  includes: Includes,
): Promise<RstSite> => {
  const regular = new Map<string, TreeFile>()
  for (const file of tree.files()) if (file.kind === 'regular') regular.set(file.name, file)
  const files: IncludableFiles = {
    find: async (names) => names.map((name) => regular.get(name)?.content ?? null),
    read: async (content, maxBytes) => {
      let found: Buffer | null = null
      for await (const [, bytes] of tree.readContents([{ content }], maxBytes)) found = bytes
      return found
    },
  }
  const conf = regular.get(`${includes.folders.base}conf.py`)?.content
  const code = conf === undefined ? null : await files.read(conf, TEXT_BYTES_MAX)
  const site = new RstSite(includes.folders.content, decodeText(code ?? Buffer.alloc(0)).text)
  const texts = [...regular.values()].filter(({ name }) => pageOf(name) !== null)
  for await (const [{ name }, bytes] of tree.readContents(texts, TEXT_BYTES_MAX)) {
    const { text } = decodeText(bytes ?? Buffer.alloc(0))
    site.add(name, pageOf(name)!, (await expandIncludes(text, name, includes, files))?.text ?? text)
  }
  return site
}
