/**
 * Counts how well the pages of a repository are rendered, from git and the HTML of a running service alone. Prints a row
 * of a table in Markdown: name, pages, raw markup, links, anchors, included code, titles.
 *
 * `counts.tsv` has the results, and what the import took: processor time, and the size of the database in PostgreSQL 15
 * (`--history none`). Raw: of 100 pages, those that show markup of a generator. Links, also pictures, and anchors: of 200
 * pages, those whose target exists and is reached. Titles: those that the navigation or the source gives. The aims are 3 %, 99.5 %,
 * 98 %, 100 % of samples and 97 %. An asterisk: nobody had tuned Lectern for it before. A dagger: counted before changes of
 * this program or of Lectern that can change the row.
 *
 * What is broken on the site itself does not count, because there is nothing to reach: includes of files or parts that git
 * lacks (some builds make them), links from one version of a site to a page that only others have (`v1.2-docs/`), and links
 * to a heading in another case. These count in wikis, where a script of GitHub leads to the heading, but not Lectern, which
 * does not know whether the other page has such an anchor: so SickChill misses the aim. knative/docs, lit.dev, fumadocs
 * and docsify miss one: programs of the site move folders or write addresses. So does Nix: its build makes files. Links
 * of CS-Notes, mermaid and redpanda that are broken on the site, too, count where this program cannot tell.
 *
 *     node dist/bench/sites/dialects.js REPOSITORY REF http://localhost:3000/api/v1 [NAME] [--show]
 */
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path/posix'

interface Page {
  path: string
  title: string
  url: string
  html: string
}

interface Share {
  good: number
  all: number
  /** Some that are not good. */
  examples: string[]
}

const SAMPLE = 100
const EXAMPLES = 12

/** Markup of generators that no page shows outside of code. */
const RAW = [
  /^\s*:::/m,
  /^\s*(?:!!!|\?\?\?\+?)\s+[a-z"]/m,
  /^\s*=== "/m,
  /^\s*\/\/\/\s+[a-z]/m,
  /\{\{[<%#]/,
  /\{%/,
  /--8<--/,
  /^\s*<<<\s/m,
  /<!--\s*@include/,
  /^\s*(?:import\s[^\n]*\sfrom\s+["']|export (?:const|default)\s)/m,
  /\{:\s?[.#a-z]/,
  /\{\s?#[\w-]+[^}\n]*\}/,
  /\{\.[a-z][\w-]*\}/,
  // After a word, it is a type in angle brackets.
  /(?<!\w)<\/?[A-Z][A-Za-z]*[a-z][A-Za-z]*(?:\s[^>]*)?\/?>/,
  /\{\*\s|\{!\s?\S+\s?!\}/,
  /^\s*include(?:-code)?::/m,
  /!?\[\[(?!\.\.\.)[^\]\n]+\]\]/,
  /^\s*\[![A-Za-z]+\][+-]?/m,
  /%%[^%\n]+%%/,
  /\[TOC\]/,
  /\]\[[a-z_]\w*(?:\.\w+)+\]/i,
  /@(?:sec|fig|tbl)-\w/,
  /\{\/\*/,
  /^\s*[-*]?\s*`{3}|~{3,}/m,
]

/** Includes, as texts have them, that generators replace everywhere, and outside of blocks of code. */
const INCLUDE =
  /(?<!\\)\{\{#(?:include|rustdoc_include|playground)[ \t][^}\n]*\}\}|^[ \t>]*--8<--[ \t]+"(?!https?:)[^"\n]+"|\{!>?[ \t]?\S+\.\w+[ \t]*!\}|<!--[ \t]*@include:[^\n]*-->|\{\{[<%][ \t]*(?:readfile|code_sample|include)[ \t][^{}\n]*\}\}/gm
const INCLUDE_OUTSIDE =
  /\{\*[ \t]\S+[^*\n]*\*\}|^[ \t]*<<<[ \t]?[@.][^\n]+|^[ \t]*@\[code[^\n]*\]\([^\n]*\)/gm

/** It can have the title of the page. */
const RST_INCLUDE = /^\.\.[ \t]+include::[ \t]+(\S+)[ \t]*$/gm

/** A file and a part of it in pymdownx: `--8<-- "docs/a.md:part"`. */
const SNIPPET = /^[ \t>]*--8<--[ \t]+"([^"\n:]+)(?::([a-z][\w-]*))?[^"\n]*"/

const includesOf = (text: string): string[] => [
  ...(text.match(INCLUDE) ?? []),
  ...(text.replace(/^([ \t>]*)(`{3,}|~{3,})[\s\S]*?^\1\2/gm, '').match(INCLUDE_OUTSIDE) ?? []),
]

const [repository = '', ref = 'HEAD', api = '', name = repository] = process.argv.slice(2)
const isVerbose = process.argv.includes('--show')

const git = (...args: string[]): Buffer =>
  execFileSync('git', ['-C', repository, ...args], { maxBuffer: 512 * 1024 * 1024 })

const readPages = async (): Promise<Page[]> => {
  const pages: Page[] = []
  for (let next = ''; pages.length < 5_000; ) {
    const response = await fetch(
      `${api}/pages?limit=50&include=html${next && `&after=${encodeURIComponent(next)}`}`,
    )
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    const body = (await response.json()) as { items: Page[]; next: string | null }
    pages.push(...body.items.filter(({ html }) => html !== undefined))
    if (!body.next || body.items.length === 0) break
    next = /[?&]after=([^&]+)/.exec(body.next)?.[1]
      ? decodeURIComponent(/[?&]after=([^&]+)/.exec(body.next)![1]!)
      : body.next
  }
  return pages
}

/** The same pages of a wiki at each run. */
const sampleOf = <T extends { path: string }>(pages: readonly T[], count: number): T[] => {
  const order = (path: string) =>
    [...path].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_003, 7)
  return [...pages].sort((a, b) => order(a.path) - order(b.path)).slice(0, count)
}

const decoded = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#(?:39|x27);|&apos;/g, "'")
    .replace(/&amp;/g, '&')

const textOf = (html: string): string => decoded(html.replace(/<[^>]*>/g, ''))
const withoutCode = (html: string): string => html.replace(/<(pre|code|math|kbd|samp)\b[\s\S]*?<\/\1>/g, ' ')

/** The names of files that are the page of their folder. That of the app router of Next.js is `page`. */
const FOLDER_PAGE = /\/(?:index|readme|_index)$|(?<=(?:^|\/)app\/.*)\/page$/i

/** The file of each page: that whose name ends as the path does, if there are several, in the folder of most pages. */
const findFiles = (pages: readonly Page[]): Map<Page, string> => {
  const files = new Map<string, string[]>()
  for (const file of git('ls-tree', '-r', '-z', '--name-only', ref).toString().split('\0')) {
    const stem = file.replace(/\.(?:md|mdx|markdown|adoc|asciidoc|rst|org)$/i, '')
    if (stem === file) continue
    for (const key of new Set([stem, stem.replace(FOLDER_PAGE, '')])) {
      const last = key.slice(key.lastIndexOf('/') + 1).toLowerCase()
      files.set(last, [...(files.get(last) ?? []), file])
    }
  }
  const candidates = new Map<Page, string[]>()
  const roots = new Map<string, number>()
  const rootOf = (file: string, { path }: Page) =>
    file.slice(0, file.toLowerCase().lastIndexOf(path.toLowerCase()))
  for (const page of pages) {
    const wanted = page.path.toLowerCase()
    const matching = (files.get(wanted.slice(wanted.lastIndexOf('/') + 1)) ?? []).filter((file) => {
      const stem = file.toLowerCase().replace(/\.\w+$/, '')
      return [stem, stem.replace(FOLDER_PAGE, '')].some((one) => one === wanted || one.endsWith(`/${wanted}`))
    })
    candidates.set(page, matching)
    for (const root of new Set(matching.map((file) => rootOf(file, page))))
      roots.set(root, (roots.get(root) ?? 0) + 1)
  }
  const found = new Map<Page, string>()
  for (const [page, matching] of candidates) {
    // Of files in several languages, that of the language of the page.
    const locale = new URL(page.url).pathname.split('/')[2] ?? ''
    const inRoot = (file: string) => roots.get(rootOf(file, page)) ?? 0
    const [best] = matching.sort(
      (a, b) =>
        Number(b.includes(`${locale}/`)) - Number(a.includes(`${locale}/`)) ||
        inRoot(b) - inRoot(a) ||
        a.length - b.length,
    )
    if (best !== undefined) found.set(page, best)
  }
  return found
}

const share = (): Share => ({ good: 0, all: 0, examples: [] })
const count = (into: Share, isGood: boolean, example: string): void => {
  into.all += 1
  if (isGood) into.good += 1
  else into.examples.push(example)
}

const letters = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')

const hrefsOf = ({ html }: Page): string[] =>
  [...html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)].map(([, href = '']) => decoded(href))

const countLinks = (
  sample: readonly Page[],
  pages: readonly Page[],
  source: (page: Page) => string,
  isNamed: boolean,
  names: readonly string[],
) => {
  const byUrl = new Map(pages.map((page) => [page.url, page]))
  const endOf = (path: string) => path.toLowerCase().split('/').slice(-2).join('/')
  const ends = new Map<string, Page[]>()
  for (const page of pages) ends.set(endOf(page.path), [...(ends.get(endOf(page.path)) ?? []), page])
  const root = new URL('/wiki/', api).href
  const [links, anchors] = [share(), share()]
  for (const page of sample) {
    // A picture that is shown has another address.
    for (const [, src = ''] of page.html.matchAll(/<img\b[^>]*\ssrc="([^"]*)"/g)) {
      const name = decodeURIComponent(decoded(src)).split('/').slice(-2).join('/')
      const isLost = src.startsWith(root) && names.some((one) => `/${one}`.endsWith(`/${name}`))
      if (isLost || !src.startsWith(root)) count(links, !isLost, `${page.path}: ${src}`)
    }
    for (const href of hrefsOf(page)) {
      const [url = '', fragment] = href.split('#')
      const target = url === '' ? page : byUrl.get(url)
      if (!(url === '' || url.startsWith(root))) continue
      if (target === undefined) {
        const end = endOf(decodeURIComponent(url).replace(/(?:\/|\.html?|\.mdx?)+$/i, ''))
        const versions = [page.path, url.slice(root.length).replace(/^[^/]*\//, '')].map(versionOf)
        const isOwn = ({ path }: Page) => versions.includes(versionOf(path))
        if (ends.get(end)?.some(isOwn)) count(links, false, `${page.path}: ${url}`)
        continue
      }
      if (url !== '') count(links, true, '')
      if (!fragment) continue
      const id = decodeURIComponent(fragment)
      const isReached = [fragment, id].some(
        (one) => target.html.includes(` id="${one}"`) || target.html.includes(` name="${one}"`),
      )
      if (isReached) count(anchors, true, '')
      else if (hasHeading(target, isNamed ? id.toLowerCase() : id, source(target)))
        count(anchors, false, `${page.path}: ${href}`)
    }
  }
  return { links, anchors }
}

/** What every generator makes of a heading in an id: white space separates, and other signs can. No id has others of them. */
const isIdOf = (id: string, heading: string): boolean => {
  const parts = (text: string) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== '')
  const words = heading.toLowerCase().normalize('NFKD').split(/\s+/).map(parts)
  const pattern = words.filter(({ length }) => length > 0).map((word) => word.join('-?'))
  const plain = id.normalize('NFKD').replace(/[-_\s]+/g, '-')
  return new RegExp(`^-?${pattern.join('-')}-?(?:\\d+)?$`, 'u').test(plain)
}

/** Whether the page has the target of a link on its site: a heading of this id, or an id that its author wrote. */
const hasHeading = ({ html }: Page, id: string, markdown: string): boolean => {
  const all = [...html.matchAll(/<h[1-6](?: id="([^"]*)")?[^>]*>([\s\S]*?)<\/h[1-6]>/g)]
  // One with an id that its author chose has no other.
  const others = all.filter(
    ([, own]) => !(own && [`[[${own}]]`, `[#${own}]`].some((one) => markdown.includes(one))),
  )
  const headings = others.map(([, , one = '']) => textOf(one))
  const [, base = id, number] = /^(.*\D)[-_](\d)$/.exec(id) ?? []
  return (
    headings.some((one) => isIdOf(id, one) && (!number || one.includes(number))) ||
    (number !== undefined && headings.filter((one) => isIdOf(base, one)).length > Number(number)) ||
    markdown.includes(`{#${id}}`) ||
    markdown.includes(`id="${id}"`) ||
    markdown.includes(`[[${id}]]`) ||
    markdown.includes(`[#${id}]`) ||
    markdown.includes(`/*#${id}*/`)
  )
}

/** Whether the title is one that the source gives: front matter, a heading, or the navigation. */
const hasTitle = ({ title, path }: Page, markdown: string, navigation: string): boolean => {
  // Python's proposals have their number before the title.
  const wanted = letters(title.replace(/^PEP \d+ \u2013 /, ''))
  const [front = ''] = /^---\n[\s\S]*?\n---\n/.exec(markdown) ?? []
  const body = markdown.slice(front.length).replace(/^(`{3,})[\s\S]*?^\1/gm, '')
  const hasOwn =
    /^[a-z]*title\s*[:=]/im.test(front) || /^(?:={1,6}\s|#\s|.+\n(?:=+|-+|([~^"*#+.])\1{2,})$)/m.test(body)
  const given = [
    ...[
      ...markdown
        .slice(0, 20_000)
        .matchAll(
          /^(?:[a-z]*[tT]itle|Title|sidebar_label|[ \t]+(?:label|key|title))\s*[:=]\s*(?:[|>]-?\n[ \t]+)?(.+)$/gm,
        ),
    ],
    ...[...markdown.matchAll(/^ {0,3}(?:#{1,6}|={1,6})\s+(.+)$/gm)],
    // The last line of front matter is no heading.
    ...[...markdown.replace(/^---\n[\s\S]*?\n---\n/, '').matchAll(/^(.+)\n(?:=+|-+|([~^"*#+.])\2{2,})$/gm)],
  ].flatMap(([, one = '']) => [
    letters(one),
    letters(
      textOf(
        one
          .replace(/:[a-z_]+:/g, '')
          .replace(/:[\w:]+:`!?([^`]*)`/g, '$1')
          .replace(/\{.*$/, '')
          .replace(/\]\([^)]*\)/g, ''),
      ),
    ),
  ])
  // Attributes of AsciiDoc, whose values can be anywhere: `= Installing {product}`.
  const open = [...markdown.matchAll(/^=\s+(.*\{[\w-]+\}.*)$/gm)].map(
    ([, one = '']) =>
      new RegExp(
        `^${one
          .split(/\{[\w-]+\}/)
          .map(letters)
          .join('.*')}$`,
        'u',
      ),
  )
  return (
    given.length === 0 ||
    (!hasOwn && wanted === letters(path.slice(path.lastIndexOf('/') + 1))) ||
    given.some((one) => one === wanted) ||
    open.some((one) => one.test(wanted)) ||
    navigation.includes(wanted)
  )
}

const NAVIGATION =
  /(?:^|\/)(?:SUMMARY|_sidebar|_Sidebar)\.md$|(?:^|\/)(?:_meta(?:\.global)?\.\w+|meta\.json|zensical\.toml|[\w-]*nav[\w-]*\.adoc|_config\.yml)$|mkdocs\.ya?ml$|sidebars\.\w+$|_category_\.\w+$|\.v(?:ite|ue)press\/[\w./-]*\.[cm]?[jt]s$|astro\.config\.\w+$/

/** In wikis of Gollum and vaults of Obsidian, the title of a page is the name of its file. */
const NAMED = /(?:^|\/)(?:\.obsidian\/|_(?:Sidebar|Footer)\.md$)/
const LINK_BY_NAME = /(?<![\\`])\[\[[^\]\n]+\]\]/

/** What authors escape shall be shown. */
const ESCAPED = /\\<[^\n<>]{1,100}>|\\\[\\?\[[^\]\n]{1,100}\]\\?\]/g

/** Whether git has the file of an include, and the part. */
const isInGit = (include: string, names: readonly string[]): boolean => {
  const [, path, part] = SNIPPET.exec(include) ?? []
  if (path === undefined) return true
  const files = names.filter((name) => `/${name}`.endsWith(`/${path}`))
  return files.some((file) => !part || git('show', `${ref}:${file}`).includes(`[start:${part}]`))
}

/** The folder of a version, in the path of a page: `v1.2-docs/`. */
const versionOf = (path: string): string =>
  /^(?:v?\d+(?:\.[\dx]+)+|next|latest)(?:-docs)?(?=\/)/.exec(path)?.[0] ?? ''

const percent = ({ good, all }: Share): string =>
  all === 0 ? '–' : `${((100 * good) / all).toFixed(1)} % of ${all}`

const main = async (): Promise<void> => {
  const pages = await readPages()
  const files = findFiles(pages)
  const names = git('ls-tree', '-r', '-z', '--name-only', ref).toString().split('\0')
  const texts = new Map<Page, string>()
  const source = (page: Page): string => {
    const file = files.get(page)
    if (!texts.has(page)) {
      const text = file === undefined ? '' : git('show', `${ref}:${file}`).toString()
      const included = (whole: string, name: string) => {
        const target = join(dirname(file!), name)
        return names.includes(target) ? git('show', `${ref}:${target}`).toString() : whole
      }
      texts.set(page, text.replace(RST_INCLUDE, included))
    }
    return texts.get(page)!
  }
  const sample = sampleOf(pages, SAMPLE)
  const [raw, code, titles] = [share(), share(), share()]
  const isNamed =
    names.some((one) => NAMED.test(one)) ||
    sample.filter((page) => LINK_BY_NAME.test(source(page))).length * 4 >= sample.length
  const navigation = letters(
    names
      .filter((one) => NAVIGATION.test(one))
      .slice(0, 100)
      .map((one) => git('show', `${ref}:${one}`).toString())
      .concat(isNamed ? names : [])
      .join('\n'),
  )
  for (const page of sample) {
    const escaped = source(page).match(ESCAPED) ?? []
    const text = escaped.reduce(
      (shown, one) => shown.replaceAll(one.replaceAll('\\', ''), ' '),
      textOf(withoutCode(page.html)),
    )
    const mark = RAW.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined)
    count(raw, mark === undefined, `${page.path}: ${mark?.trim()}`)
    count(titles, hasTitle(page, source(page), navigation), `${page.path}: ${page.title}`)
    const all = includesOf(source(page)).filter((include) => isInGit(include, names))
    const left = [...(textOf(page.html).match(INCLUDE) ?? []), ...(text.match(INCLUDE_OUTSIDE) ?? [])]
    for (const [i, include] of all.entries())
      count(code, i >= left.length, `${page.path}: ${left[i]?.trim() ?? include}`)
  }
  const { links, anchors } = countLinks(sampleOf(pages, 2 * SAMPLE), pages, source, isNamed, names)
  const cells = [
    name,
    pages.length,
    `${raw.all - raw.good} of ${raw.all}`,
    ...[links, anchors, code, titles].map(percent),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (!isVerbose) return
  for (const [kind, { examples }] of Object.entries({ raw, links, anchors, code, titles }))
    for (const example of examples.slice(0, EXAMPLES))
      console.log(`  ${kind} ${example.replace(/\s+/g, ' ').slice(0, 200)}`)
}

await main()
