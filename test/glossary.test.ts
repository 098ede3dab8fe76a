import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { packagePath } from '../src/paths.ts'

interface Term {
  name: string
  places: string[]
}

/** Rows of the glossary's tables: term, meaning, where it lives. */
const termsOf = (glossary: string): Term[] =>
  [...glossary.matchAll(/^\| (?!Term \|)([^|-][^|]*) \|([^|]*)\|([^|]*)\|$/gm)].map(([, name, , places]) => ({
    name: name!.trim(),
    places: [...places!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  }))

const terms = termsOf(readFileSync(packagePath('GLOSSARY.md'), 'utf8'))

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
})
