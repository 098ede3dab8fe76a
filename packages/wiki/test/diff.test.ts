import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { diffLines, type LineDiff } from '@lectern/wiki/diff/line-diff'
import { patchOf } from '@lectern/wiki/diff/patch'
import { DIFF_LIMITS } from '@lectern/wiki/limits'
import { expect } from 'chai'
import fc from 'fast-check'
import { git, newRepository } from '../../../test/support/git.ts'
import { rounds } from '../../../test/support/rounds.ts'

const compare = (from: string, to: string): LineDiff =>
  diffLines(from, to, DIFF_LIMITS.listed, { highlights: true })

/** Few different lines, so that texts have much in common; with everything that other tools take for a line end. */
const line = fc.constantFrom(
  '',
  'a',
  'b',
  'c',
  'a\r',
  '\r',
  'чай',
  'a\u2028b',
  '\u0085',
  '-',
  '+ x',
  '\\ No newline',
  '@@ -1 +1 @@',
)
const anyText = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', '\n'))
  .map(([lines, end]) => lines.join('\n') + end)

/** Lines of a text with their line feeds. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** What the hunks make of a text: their context and removed lines must be in it, where they say. */
const applied = (text: string, { hunks }: LineDiff): string => {
  const lines = linesOf(text)
  const result: string[] = []
  let at = 0
  for (const { from, to, lines: hunkLines } of hunks) {
    result.push(...lines.slice(at, from.line - 1))
    at = from.line - 1
    expect(to.line).to.equal(result.length + 1)
    let added = 0
    for (const { kind, text: lineText, newline } of hunkLines) {
      const whole = lineText + (newline ? '\n' : '')
      if (kind !== 'added') expect(lines[at++]).to.equal(whole)
      if (kind !== 'removed') added += result.push(whole) > 0 ? 1 : 0
    }
    expect({ from: at - from.line + 1, to: added }).to.deep.equal({ from: from.lines, to: to.lines })
  }
  return [...result, ...lines.slice(at)].join('')
}

describe('differences of texts', () => {
  it('the hunks turn one text into the other, and their counts are right, for random pairs', () =>
    fc.assert(
      fc.property(anyText, anyText, (from, to) => {
        const diff = compare(from, to)
        expect(applied(from, diff)).to.equal(to)
        const lines = diff.hunks.flatMap(({ lines }) => lines)
        expect(diff.added).to.equal(lines.filter(({ kind }) => kind === 'added').length)
        expect(diff.removed).to.equal(lines.filter(({ kind }) => kind === 'removed').length)
        for (const { text, highlights } of lines) {
          const offsets = highlights.flat()
          expect(offsets).to.deep.equal([...new Set(offsets)].sort((a, b) => a - b))
          expect(offsets.at(-1) ?? 0).to.be.at.most(text.length)
        }
      }),
      { numRuns: rounds(500) },
    ))

  it('git applies the patches of random pairs', () => {
    const folder = newRepository()
    mkdirSync(join(folder, 'a "b"'))
    const pairs = fc.sample(fc.tuple(anyText, anyText), rounds(150))
    const patches = pairs.map(([from, to], i) => {
      const file = i % 2 === 0 ? `a "b"/${i} чай.md` : `${i}.md`
      writeFileSync(join(folder, file), from)
      const side = (text: string) => ({ text, createdAt: '2024-01-01T00:00:00.000000Z' })
      return { file, to, patch: patchOf({ file, from: side(from), to: side(to) })! }
    })
    writeFileSync(join(folder, 'all.patch'), patches.map(({ patch }) => patch).join(''))
    git(folder, ['-c', 'core.autocrlf=false', 'apply', 'all.patch'])
    for (const { file, to, patch } of patches)
      expect(readFileSync(join(folder, file), 'utf8'), patch).to.equal(to)
  })

  it('git creates the file of a first edit', () => {
    const folder = newRepository()
    const to = { text: 'one\r\ntwo', createdAt: '2024-01-01T00:00:00.000000Z' }
    writeFileSync(join(folder, 'all.patch'), patchOf({ file: 'tea.md', from: null, to })!)
    git(folder, ['-c', 'core.autocrlf=false', 'apply', 'all.patch'])
    expect(readFileSync(join(folder, 'tea.md'), 'utf8')).to.equal('one\r\ntwo')
  })

  const highlighted = (from: string, to: string) =>
    compare(from, to).hunks[0]!.lines.map(({ text, highlights }) =>
      highlights.map(([start, end]) => text.slice(start, end)),
    )

  it('highlights whole words, and single characters of scripts without spaces', () => {
    expect(highlighted('Tea is steamed twice.', 'Tea was steaming twice.')).to.deep.equal([
      ['is steamed'],
      ['was steaming'],
    ])
    expect(highlighted('緑茶は日本の飲み物です', '緑茶は中国の飲み物です')).to.deep.equal([
      ['日本'],
      ['中国'],
    ])
    expect(highlighted('A 👩‍🚀 drinks', 'A 👩‍🌾 drinks')).to.deep.equal([['👩‍🚀'], ['👩‍🌾']])
    expect(highlighted('Cafe\u0301 au lait', 'Cafe au lait')).to.deep.equal([['Cafe\u0301'], ['Cafe']])
  })

  it('highlights nothing in lines that have little in common', () => {
    expect(highlighted('Tea is a plant.', 'Coffee, brewed strong and black')).to.deep.equal([[], []])
  })

  it('a carriage return is a part of its line', () => {
    expect(compare('a\r\nb\r\n', 'a\nb\r\n')).to.deep.include({ added: 1, removed: 1 })
  })
})

/** The longest text that an import accepts. */
const LONGEST = 8 * 1024 * 1024

/** Texts that make a comparison expensive: each is compared with the next. */
const shuffled = (lines: string[]): string =>
  lines
    .map((text, i) => [(i * 7_919) % lines.length, text] as const)
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('\n')
const distinct = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`)
const periodic = (count: number, period: number) =>
  Array.from({ length: count }, (_, i) => (i % period === 0 ? 'b' : 'a')).join('\n')
const punctuation = (count: number, step: number) =>
  Array.from({ length: count }, (_, i) => '.,-:;!'[(i * step + (i >> 3)) % 6]).join('')

const HOSTILE: Record<string, [from: string, to: string]> = {
  'the same lines in another order': [distinct(3_000).join('\n'), shuffled(distinct(3_000))],
  'many of the same lines in another order': [distinct(24_000).join('\n'), shuffled(distinct(24_000))],
  'all lines in reverse': [distinct(5_000).join('\n'), distinct(5_000).reverse().join('\n')],
  'two lines again and again, at different intervals': [
    `x\n${periodic(24_000, 20)}`,
    `${periodic(24_000, 21)}\ny`,
  ],
  'long lines of punctuation': [
    Array.from({ length: 60 }, (_, i) => punctuation(800, 5 + i)).join('\n'),
    Array.from({ length: 60 }, (_, i) => punctuation(800, 7 + i).replaceAll('.', '?')).join('\n'),
  ],
  'texts of a million line feeds': [`x${'\n'.repeat(1e6)}`, `${'\n'.repeat(1e6)}y`],
  'the longest texts, of one line': ['a'.repeat(LONGEST), 'b'.repeat(LONGEST)],
}

describe('differences of hostile pairs', () => {
  for (const [title, [from, to]] of Object.entries(HOSTILE)) {
    it(`${title}: one hunk, within a bounded time and size`, () => {
      const before = process.cpuUsage()
      const diff = compare(from, to)
      const { user } = process.cpuUsage(before)
      expect(diff.hunks).to.have.length(1)
      expect(JSON.stringify(diff).length).to.be.below(4 * 1024 * 1024)
      // It takes up to 100 ms on an idle machine, and without bounds hours. The limit leaves room for a slow one.
      expect(user / 1000).to.be.below(10_000)
      if (!diff.truncated) expect(applied(from, diff)).to.equal(to)
      else expect(diff.hunks[0]!.lines).to.deep.equal([])
    })
  }

  it('a text that is too long for a patch has none; one with a small change has a small one', () => {
    const side = (text: string) => ({ text, createdAt: '2024-01-01T00:00:00.000000Z' })
    const long = 'tea\n'.repeat(300_000)
    const patchTo = (text: string) => patchOf({ file: 'tea.md', from: side(long), to: side(text) })
    expect(patchTo(long.replaceAll('e', 'i'))).to.equal(null)
    expect(patchTo(`${long}one more\n`)!.split('\n')).to.have.length(8)
  })
})
