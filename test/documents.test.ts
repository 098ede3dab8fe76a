import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { packagePath } from '../src/paths.ts'
import { sourceFiles, visitAll } from './support/source-files.ts'

const FOLDER = packagePath('docs', 'decisions')

const records = readdirSync(FOLDER)
  .filter((file) => /^\d{4}-.*\.md$/.test(file))
  .sort()
  .map((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    return { file, number: Number(file.slice(0, 4)), text, status: /^Status: (.*)$/m.exec(text)?.[1] ?? '' }
  })

const numbers = records.map(({ number }) => number)

/** Where a decision rules, and may be cited: code, statements and configuration, not the records themselves. */
const CITING =
  `src packages schema test bench tools clients .ci deploy site codegen.yml package.json .npmrc biome.json
  tsconfig.json .mocharc.json`.split(/\s+/)

const textsUnder = (path: string): string[] => {
  if (path.startsWith(join('docs', 'decisions'))) return []
  try {
    return readdirSync(packagePath(path), { withFileTypes: true })
      .filter(({ name }) => !/^(node_modules|projects|dist)$|package-lock\.json$|\.woff2$/.test(name))
      .flatMap(({ name }) => textsUnder(join(path, name)))
  } catch {
    return [readFileSync(packagePath(path), 'utf8')]
  }
}

const cited = new Set(
  CITING.flatMap(textsUnder).flatMap((text) =>
    [...text.matchAll(/(?<!%)\bD(\d{1,3})\b/g)].map(([, number]) => Number(number)),
  ),
)

describe('docs/decisions', () => {
  it('holds records, each with a number of its own, context, decision and consequences, of at most 250 words, and at most 60 records', () => {
    expect(new Set(numbers).size).to.equal(records.length)
    expect(records.length).to.be.at.most(60)
    for (const { file, text, status } of records) {
      expect(text, file).to.match(/^# \d{4}\. /)
      expect(status, file).to.match(/^(accepted|superseded by \[)/)
      for (const heading of ['Context', 'Decision', 'Consequences'])
        expect(text, file).to.include(`\n## ${heading}\n`)
      expect(text.split(/\s+/).length, file).to.be.at.most(265) // with its number and status
    }
  })

  it('has an index that lists each record once', () => {
    const index = readFileSync(join(FOLDER, 'README.md'), 'utf8')
    const listed = [...index.matchAll(/\]\((\d{4}-[^)]*\.md)\)/g)].map(([, file]) => file!)
    expect(listed.sort()).to.deep.equal(records.map(({ file }) => file))
  })

  it('has every record that is cited', () => {
    expect([...cited].filter((number) => !numbers.includes(number))).to.deep.equal([])
  })

  it('has no accepted record that is cited nowhere', () => {
    const uncited = records.filter(
      ({ number, status }) => status.startsWith('accepted') && !cited.has(number),
    )
    expect(uncited.map(({ file }) => file)).to.deep.equal([])
  })

  it('links to files that are there', () => {
    for (const { file, text } of records)
      for (const [, target] of text.matchAll(/\]\((\d{4}-[^)#]*\.md)\)/g))
        expect(
          records.map((record) => record.file),
          file,
        ).to.include(target)
  })
})

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

describe('docs/observability.md', () => {
  it('has the `msg` of every line of the log, but of sentences that say what to do', () => {
    const table = readFileSync(packagePath('docs', 'observability.md'), 'utf8').match(
      /^\| `msg`[\s\S]*?\n\n/m,
    )![0]
    const documented = [...table.matchAll(/^\|([^|]+)\|/gm)]
      .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)])
      .map(([, name]) => name!.replace(/…$/, ''))
      .slice(1)
    const logged: string[] = []
    for (const { tree } of sourceFiles('src'))
      visitAll(tree, (node) => {
        if (!ts.isCallExpression(node)) return
        if (!/[lL]ogger\??\s*\.(?:error|fatal|info|warn)$|^logger\[/.test(node.expression.getText())) return
        visitAll(node.arguments.at(-1)!, (part) => {
          if (ts.isStringLiteralLike(part) || ts.isTemplateHead(part)) logged.push(part.text)
        })
      })
    const states = ['following', 'waiting']
    const isDocumented = (text: string) => documented.some((name) => text.startsWith(name))
    expect(logged.filter((text) => !/[.:`]/.test(text) && text !== '' && !isDocumented(text))).to.deep.equal(
      [],
    )
    const all = [...logged, ...states]
    expect(documented.filter((name) => !all.some((text) => text.startsWith(name)))).to.deep.equal([])
  })
})

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
