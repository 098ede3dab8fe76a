import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newRepository } from './git.ts'

/** A file of a random repository: a text, or the target of a symbolic link. */
interface RandomFile {
  text: string
  isLink: boolean
}

export interface RandomCommit {
  hash: string
  parents: RandomCommit[]
  files: ReadonlyMap<string, RandomFile>
}

/** Layouts of the files of a random repository: pages in English and French, in two kinds of files. */
export const RANDOM_LAYOUTS = ['docs/{locale:fr}/{path}.md', 'docs/{path}.md', 'docs/{path}.mdx']

const WORDS = 'tea cup leaf pot steam water kettle oolong sencha mate spoon sugar milk lemon honey'.split(' ')

/** @returns a function that returns a number from 0 to below its argument */
export const randomNumbers = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Makes the commits of a random repository, each from the files of its parents. */
class RandomHistory {
  readonly random: (below: number) => number
  #texts = 0

  constructor(seed: number) {
    this.random = randomNumbers(seed)
  }

  name(): string {
    const folder = ['', '', 'fr/', 'guides/', 'fr/guides/'][this.random(5)]
    return `docs/${folder}${WORDS[this.random(8)]}${this.random(4) === 0 ? '.mdx' : '.md'}`
  }

  text(): string {
    const tags = ['', '', 'tags: [hot]\n', 'tags: [Hot, green tea]\n', 'tags: [Green Tea]\n'][this.random(5)]
    const draft = this.random(8) === 0 ? 'draft: true\n' : ''
    const front = tags === '' && draft === '' ? '' : `---\n${tags}${draft}---\n`
    const lines = Array.from({ length: 8 }, () => `${WORDS[this.random(15)]} ${WORDS[this.random(15)]}`)
    this.#texts += 1
    return `${front}${this.#texts} ${lines.join('\n')}\n`
  }

  /** Changes one line, so that git finds the text similar. */
  edited(text: string): string {
    this.#texts += 1
    return `${text.split('\n').slice(0, -2).join('\n')}\n${this.#texts} ${WORDS[this.random(15)]}\n`
  }

  change(files: Map<string, RandomFile>): void {
    const names = [...files.keys()].filter((name) => !files.get(name)!.isLink)
    const name = names[this.random(names.length)]
    const other = this.name()
    const file = name === undefined ? undefined : files.get(name)
    const kind = this.random(20)
    if (name === undefined || file === undefined || kind < 3)
      files.set(other, { text: this.text(), isLink: false })
    else if (kind < 10) files.set(name, { text: this.edited(file.text), isLink: false })
    else if (kind < 11) files.set(name, { text: this.text(), isLink: false })
    else if (kind < 13) files.delete(name)
    else if (kind < 16) {
      files.delete(name)
      files.set(other, this.random(2) === 0 ? file : { text: this.edited(file.text), isLink: false })
    } else if (kind < 17) {
      files.set(name, { text: `Moved to ${other}\n`, isLink: false })
      files.set(other, file)
    } else if (kind < 18) {
      const second = names[this.random(names.length)]!
      files.set(name, files.get(second)!).set(second, file)
    } else if (kind < 19) files.set(other, file)
    else files.set(`docs/link${this.random(2)}.md`, { text: name.slice('docs/'.length), isLink: true })
  }

  /** The files of several parents: for each one, those of one of the parents. */
  mergedFiles(parents: readonly RandomCommit[]): Map<string, RandomFile> {
    const files = new Map(parents[0]?.files)
    for (const name of new Set(parents.flatMap((parent) => [...parent.files.keys()]))) {
      const file = parents[this.random(parents.length)]!.files.get(name)
      if (file === undefined) files.delete(name)
      else files.set(name, file)
    }
    return files
  }
}

interface RandomOptions {
  commits: number
  /** How far back the other parents of merges are, at most. */
  reach?: number
  /** Files of other tools and of git, which are added to each commit from then on, by number of the commit. */
  extra?: ReadonlyMap<number, readonly [name: string, text: string]>
}

/** A repository whose commits change, rename, copy, link, delete and merge a few files at random. */
export const randomRepository = (
  seed: number,
  { commits: count, reach = 6, extra = new Map() }: RandomOptions,
): { folder: string; commits: RandomCommit[] } => {
  const history = new RandomHistory(seed)
  const { random } = history
  const folder = newRepository()
  const commits: RandomCommit[] = []
  const stream: string[] = []
  for (let n = 0; n < count; n += 1) {
    const parents: RandomCommit[] = []
    // Branches that are merged again, and between them stretches without.
    const isLinear = n % 40 >= 20
    const wanted = n === 0 ? 0 : isLinear ? 1 : [1, 1, 1, 1, 2, 2, 3][random(7)]!
    // The first parent is one of the last commits, so that branches stay apart for a while.
    for (let i = 0; i < wanted; i += 1) {
      const parent = commits[Math.max(0, n - 1 - (isLinear ? 0 : random(i === 0 ? 2 : reach)))]!
      if (!parents.includes(parent)) parents.push(parent)
    }
    const files = parents.length > 1 ? history.mergedFiles(parents) : new Map(parents[0]?.files)
    for (let changes = random(parents.length > 1 ? 2 : 4); changes > 0; changes -= 1) history.change(files)
    if (n === 0)
      for (const name of ['docs/fr/tea.md', 'docs/tea.md', 'docs/cup.mdx'])
        files.set(name, { text: history.text(), isLink: false })
    const [name, text] = extra.get(n) ?? []
    if (name !== undefined && text !== undefined) files.set(name, { text, isLink: false })
    commits.push({ hash: '', parents, files })
    const message = `commit ${n}`
    stream.push(
      `commit refs/heads/c${n}\nmark :${n + 1}\n`,
      `committer Ada <ada@tea.example> ${1_714_564_800 + Math.floor(n / 2) - random(6)} +0000\n`,
      `data ${message.length}\n${message}\n`,
      ...parents.map((parent, i) => `${i === 0 ? 'from' : 'merge'} :${commits.indexOf(parent) + 1}\n`),
      'deleteall\n',
      ...[...files].map(
        ([file, { text, isLink }]) =>
          `M ${isLink ? '120000' : '100644'} inline ${file}\ndata ${text.length}\n${text}\n`,
      ),
      '\n',
    )
  }
  execFileSync('git', ['fast-import', '--quiet', '--export-marks=marks'], {
    cwd: folder,
    input: stream.join(''),
  })
  const hashes = readFileSync(join(folder, 'marks'), 'utf8').trim().split('\n')
  for (const [mark, hash] of hashes.map((line) => line.split(' ')))
    commits[Number(mark!.slice(1)) - 1]!.hash = hash!
  return { folder, commits }
}
