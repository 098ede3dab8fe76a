import { condenseNotes, ImportNotes } from '@lectern/wiki/import/notes'
import { expect } from 'chai'

describe('notes of an import', () => {
  it('are in the order of their importance, with a count and three examples', () => {
    const notes = new ImportNotes({ lost: 'Pages left out', changed: 'Pages changed', git: 'See git' })
    notes.add('git')
    for (const name of ['a', 'b', 'c', 'd']) notes.add('changed', name)
    notes.add('lost', 'x')
    expect(notes.lines()).to.deep.equal([
      'Pages left out: 1, first x',
      'Pages changed: 4, first a, b, c',
      'See git.',
    ])
  })

  it('take ten lines, or more if these are warnings: warnings first, then the number of the others and how to see them', () => {
    const lines = ['1', '2', '3', '4', 'WARNING: 5', '6', '7', '8', '9', '10', '11', '12']
    expect(condenseNotes(lines)).to.deep.equal([
      ...['WARNING: 5', '1', '2', '3', '4', '6', '7', '8', '9'],
      '3 more notes. To see them all, set LOG_LEVEL=debug.',
    ])
    const ten = ['WARNING: 5', '1', '2', '3', '4', '6', '7', '8', '9', '10']
    expect(condenseNotes(lines.slice(0, 10))).to.deep.equal(ten)
    const warnings = Array.from({ length: 11 }, (_, i) => `WARNING: ${i}`)
    expect(condenseNotes(['7', ...warnings, '8'])).to.deep.equal([
      ...warnings,
      '2 more notes. To see them all, set LOG_LEVEL=debug.',
    ])
    expect(condenseNotes(warnings)).to.deep.equal(warnings)
    expect(condenseNotes([])).to.deep.equal([])
  })
})
