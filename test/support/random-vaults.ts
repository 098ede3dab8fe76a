import type { runImport } from '../../src/write/run-import.ts'
import { commit, type Files, newRepository } from './git.ts'
import type { RandomChoices } from './random-choices.ts'
import { PAGE_PATHS, randomText, SECRET_PATHS } from './random-texts.ts'

export type Opened = Parameters<typeof runImport>[1]

/** What a repository is: its links and its layouts depend on it. */
export type VaultKind = 'plain' | 'gollum' | 'obsidian'

const FIRST_FILES: Record<VaultKind, Files> = {
  plain: { 'about.md': 'About [[tea]].' },
  // Without a header, embedded notes can make a first import one of Obsidian; what was Gollum before stays so.
  gollum: { 'Home.md': 'Welcome to [[tea]].', '_Header.md': 'Tea' },
  obsidian: { '.obsidian/app.json': '{}' },
}

/**
 * Files that are always drafts. If they counted, they would change what the repository is recognized as, or what the
 * public files beside them are.
 */
const SECRET_FILES = [
  ...['_Sidebar.md', '_Footer.md', 'SUMMARY.md', 'fr/tea.md', 'fr/pot.md', 'pot/index.md', 'de/about.md'],
  ...['cup.fr.md', 'x.mdx', 'notes.markdown', '.obsidian/secret.md'],
]

/** Public pages whose file is in the folder of their name, where a draft has the shorter name. */
const FOLDER_PAGES = ['mate', 'a/tea']

/** A repository that changes at random, with drafts. */
export class RandomVaults {
  readonly folder = newRepository()
  readonly #kind: VaultKind
  readonly #random: RandomChoices
  readonly #hidden: RandomChoices | null
  readonly #files = new Map<string, string>()
  readonly #secretNames = new Set<string>()
  #commits = 0

  /**
   * @param random decides what guests see
   * @param hidden decides the drafts; absent: pages are drafts at random
   */
  constructor(kind: VaultKind, random: RandomChoices, hidden: RandomChoices | null = null) {
    this.#kind = kind
    this.#random = random
    this.#hidden = hidden
    this.#commit(FIRST_FILES[kind])
  }

  /** Adds, changes, renames, hides and deletes pages, one per commit: no two edits have one time. */
  commitSome(): void {
    for (let n = 2 + this.#random.below(3); n > 0; n--) {
      const secrets = this.#hidden ? this.#secretFiles(this.#hidden) : {}
      this.#commit({ ...secrets, ...this.#change(this.#random, PAGE_PATHS, this.#hidden === null) })
    }
  }

  #change(random: RandomChoices, paths: readonly string[], withDrafts: boolean): Files {
    const { once, pick } = random
    const path = pick(paths)
    const text = this.#files.get(path)
    if (text !== undefined && once(4)) return { [this.#file(path)]: this.#set(path, null) }
    const free = paths.filter((one) => !this.#files.has(one))
    if (text !== undefined && free.length > 0 && once(3)) {
      const to = pick(free)
      // Similar enough for git to find the rename.
      const changed = withDrafts && once(2) ? `${text.replace('published: false\n', '')}\nmore` : text
      return { [this.#file(path)]: this.#set(path, null), [this.#file(to)]: this.#set(to, changed) }
    }
    const draft = withDrafts && once(3) ? 'published: false\n' : ''
    const front = `${draft}${once(3) ? 'aliases: [Alias]\n' : ''}${once(3) ? 'tags: [drinks]\n' : ''}`
    const filling = `${path} is a long text about steam. `.repeat(8)
    const body = `${front === '' ? '' : `---\n${front}---\n`}${filling}\n\n${randomText(random)}\n`
    return { [this.#file(path)]: this.#set(path, body) }
  }

  #secretFiles(random: RandomChoices): Files {
    const files: Files = {}
    for (const path of SECRET_PATHS.filter(() => random.once(2))) {
      const front = 'published: false\ntitle: Place\naliases: [Alias, Budget]\ntags: [secret-key]'
      const text =
        random.once(3) && this.#files.has(path) ? null : `---\n${front}\n---\n${randomText(random)}\n`
      files[this.#file(path)] = this.#set(path, text)
    }
    const draft = (name: string) => `---\ntitle: ${name}\ndraft: true\n---\n${randomText(random)}\n`
    const names = [...SECRET_FILES, ...FOLDER_PAGES.map((path) => `${path}.md`)]
    for (const name of names.filter(() => random.once(3))) {
      const isThere = this.#secretNames.has(name)
      if (isThere) this.#secretNames.delete(name)
      else this.#secretNames.add(name)
      files[name] = isThere ? null : draft(name)
    }
    return files
  }

  #file(path: string): string {
    const name = this.#kind === 'gollum' ? path : path.replaceAll('-', ' ')
    return FOLDER_PAGES.includes(path) ? `${name}/index.md` : `${name}.md`
  }

  #set(path: string, text: string | null): string | null {
    if (text === null) this.#files.delete(path)
    else this.#files.set(path, text)
    return text
  }

  #commit(files: Files): void {
    this.#commits += 1
    const at = `2024-01-01T00:${String(Math.floor(this.#commits / 60)).padStart(2, '0')}:${String(this.#commits % 60).padStart(2, '0')}Z`
    commit(this.folder, files, { at })
  }
}
