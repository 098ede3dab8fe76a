import { expect } from 'chai'
import { makeBm25 } from '../bench/search/bm25.ts'
import { cacmCollection, commandCollection } from '../bench/search/collections.ts'
import { misspell } from '../bench/search/judged.ts'
import { averagePrecision, ndcg } from '../bench/search/measures.ts'
import { comparedWith, qualityTable } from '../bench/search/quality-report.ts'
import { languageTerms, plainTerms } from '../bench/search/terms.ts'

describe('bench/search: the measures', () => {
  it('nDCG@10 is 1 if the relevant pages come first, less the later they come, 0 without them', () => {
    expect(ndcg(['a', 'b', 'c'], new Set(['a', 'b']))).to.equal(1)
    expect(ndcg(['x', 'a'], new Set(['a']))).to.be.closeTo(0.6309, 0.0001)
    expect(ndcg([...'0123456789', 'a'], new Set(['a']))).to.equal(0)
  })

  it('average precision divides by all relevant pages, found or not', () => {
    expect(averagePrecision(['a', 'x', 'b'], new Set(['a', 'b']))).to.be.closeTo(5 / 6, 0.0001)
    expect(averagePrecision(['a'], new Set(['a', 'b']))).to.equal(0.5)
  })

  it('the table compares languages with BM25 and with another build, and leaves out small sets', () => {
    const outcomes = (locale: string, number: number, lectern: number) =>
      Array.from({ length: number }, (_, n) => ({
        kind: 'question',
        locale,
        q: `${n}`,
        plain: 0.5,
        language: 0.8,
        lectern,
      }))
    const after = [...outcomes('en', 20, 0.84), ...outcomes('ru', 20, 0.4), ...outcomes('cs', 19, 1)]
    const before = [...outcomes('en', 20, 0.9), ...outcomes('ru', 20, 0.3)]
    expect(qualityTable(after, before).slice(2)).to.deep.equal([
      '| question | en | 20 | 0.500 | 0.800 | 0.840 | 1.680 | 1.050 | 0.900 | -0.060 |',
      '| question | ru | 20 | 0.500 | 0.800 | 0.400 | 0.800 | 0.500 | 0.300 | 0.100 |',
      '| question | mean | 40 | 0.500 | 0.800 | 0.620 | 1.240 | 0.775 | 0.600 | 0.020 |',
    ])
    expect(comparedWith(after, before, 1)).to.deep.equal([
      'Of 40 queries that both builds answered, 20 rose and 20 fell.',
      'fell question en 0.90 to 0.84: 0',
    ])
  })
})

describe('bench/search: BM25', () => {
  it('scores by the formula of Robertson with k1 1.2 and b 0.75: rare words, frequency, length', () => {
    const pages = [
      { id: 'long', text: 'tea tea milk milk milk milk milk milk' },
      { id: 'short', text: 'tea' },
      { id: 'other', text: 'milk' },
    ]
    expect(makeBm25(pages, plainTerms('en')).search('tea', 10)).to.deep.equal(['short', 'long'])
    expect(makeBm25(pages, plainTerms('en')).search('tea milk', 1)).to.deep.equal(['long'])
  })

  it('splits text by language: stems, pairs of characters, words of a dictionary', () => {
    expect(languageTerms('en')('Steamed leaves')).to.deep.equal(['steam', 'leav'])
    expect(languageTerms('ru')('важности')).to.deep.equal(['важност'])
    expect(plainTerms('ja')('お茶の2杯')).to.deep.equal(['お茶', '茶の', '2', '杯'])
    expect(plainTerms('pt-br')('É só')).to.deep.equal(['é', 'só'])
    expect(languageTerms('th')('ชาเขียว')).to.include('ชา')
  })
})

describe('bench/search: judged queries', () => {
  it('a misspelled title has one typo in its longest word', () => {
    expect(misspell('Green tea')).to.equal('Geen tea')
    expect(misspell('Teahouse')).to.equal('Teaohuse')
    expect(misspell('茶')).to.equal(undefined)
  })

  it('tldr: one example leaves its page and becomes a query, unless another page has the same description', () => {
    const page = (name: string, last: string) =>
      `# ${name}\n\n> Packs files.\n\n- [c]reate an archive of files:\n\n\`${name} c\`\n\n- Show help:\n\n\`${name} h\`\n\n- ${last}:\n\n\`${name} x\`\n`
    const files = [
      { path: 'a', text: page('tar', 'Extract') },
      { path: 'b', text: page('zip', 'List all members') },
      { path: 'c', text: page('ar', 'Delete one member') },
    ]
    const { pages, queries } = commandCollection('en', files)
    expect(pages[0]!.title).to.equal('tar')
    expect(pages[0]!.markdown).not.to.include('reate an archive')
    expect(queries).to.deep.equal([
      { kind: 'description', locale: 'en', q: 'Delete one member', relevant: ['c'] },
    ])
  })

  it('CACM: abstracts, questions and judgments', () => {
    const { pages, queries } = cacmCollection({
      all: '.I 1\r\n.T\nOn Sorting\n.W\nAn abstract\nin lines\n.B\nCACM 1958\n.A\nKnuth, D.\n.X\n1\t5\t1\n.I 2\n.T\nOther\n',
      queries: '.I 1\n.W\n How to\nsort?\n.N\n 1. Somebody\n.I 2\n.W\nNothing\n',
      qrels: '01 1 0 0\n',
    })
    expect(pages[0]).to.deep.equal({
      locale: 'en',
      path: 'cacm/1',
      title: 'On Sorting',
      markdown: 'An abstract\nin lines\n\nKnuth, D.',
    })
    expect(queries).to.deep.equal([{ kind: 'cacm', locale: 'en', q: 'How to sort?', relevant: ['cacm/1'] }])
  })
})
