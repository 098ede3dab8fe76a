import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'

interface Term {
  name: string
  places: string[]
  banned: string[]
}

/** Rows of the glossary's tables: term, meaning, where it lives, never say. */
const termsOf = (glossary: string): Term[] =>
  [...glossary.matchAll(/^\| (?!Term \|)([^|-][^|]*) \|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)].map(
    ([, name, , places, banned]) => ({
      name: name!.trim(),
      places: [...places!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
      banned: banned!
        .split(',')
        .map((term) => term.trim())
        .filter((term) => term !== ''),
    }),
  )

const terms = termsOf(readFileSync(packagePath('GLOSSARY.md'), 'utf8'))

/** A term in backticks is a name in code, with its capitals; others are words, in whichever case. */
const patternOf = (term: string): RegExp =>
  term.startsWith('`')
    ? new RegExp(`\\b${term.slice(1, -1)}\\b`)
    : new RegExp(`\\b${term.replaceAll(' ', '\\s+')}\\b`, 'i')

/** Released migrations, the history of changes and these rules themselves keep old words. */
const EXCEPT =
  /^(GLOSSARY\.md|CHANGELOG\.md|test\/glossary\.test\.ts|schema\/migrations\/000[1-6]_.*|.*package-lock\.json|sample\/.*|test\/browser\/payloads\/.*|bench\/world\/english-words\.txt|docs\/performance\.svg)$/

/** Folders that hold nothing of this repository's own. */
const FOREIGN = /^(node_modules|dist|\.git|\.lectern|\.screenshots|projects)$/
const TEXT =
  /(\.(ts|js|mjs|cjs|sql|md|html|css|graphql|yml|yaml|json|sh|txt|svg|cfg|env|service)|Dockerfile|run)$/

/** Paths of the repository's texts, from its root. */
const textFiles = (folder: string): string[] =>
  readdirSync(packagePath(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return FOREIGN.test(entry.name) ? [] : textFiles(path)
    return TEXT.test(path) && !EXCEPT.test(path) ? [path] : []
  })

const findingsIn = (path: string, text: string): string[] =>
  terms
    .flatMap(({ banned }) => banned)
    .filter((term) => patternOf(term).test(text))
    .map((term) => `${path} says ${term}`)

describe('GLOSSARY.md', () => {
  it('has terms, each once, that live where it says', () => {
    expect(terms.length).to.be.above(40)
    const names = terms.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).to.deep.equal([])
    for (const { name, places } of terms)
      for (const place of places)
        expect(existsSync(packagePath(place.replace(/\/?[^/]*\*.*$/, ''))), `${name}: ${place}`).to.equal(
          true,
        )
  })

  it('bans words that nothing in the repository uses', () => {
    const files = textFiles('')
    expect(files.length).to.be.above(400)
    expect(files.flatMap((path) => findingsIn(path, readFileSync(packagePath(path), 'utf8')))).to.deep.equal(
      [],
    )
  })

  it('finds a banned name in code, and banned words in prose, however they are broken', () => {
    expect(findingsIn('x.ts', 'const x = makeMaking()')).to.have.length(1)
    expect(
      findingsIn('x.md', 'in the interchange\nform of a wiki, and the interchange format'),
    ).to.have.length(1)
    expect(findingsIn('x.md', 'The House')).to.have.length(1)
  })
})
