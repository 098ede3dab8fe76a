import { NAMESPACES, namespaceOf, parseLocale, parseSourceLocale, prefixOf } from '@lectern/wiki/locales'
import { byteLength, isPlainText, quote, sortKeyOf, truncateBytes } from '@lectern/wiki/text'
import { expect } from 'chai'
import fc from 'fast-check'

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\ufdfa', 'e\u0301', '🍵', '\ud83c', '\u202e', '\u0085', 'ß', 'İ'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  maxLength: 120,
})
const wellFormed = anyText.filter((text) => text.isWellFormed())

describe('text functions', () => {
  it('isPlainText refuses control characters and lone surrogates', () => {
    for (const text of ['', 'tea', 'お茶 🍵', 'e\u0301', '\u200d\u202e\ufeff\u2028'])
      expect(isPlainText(text), text).to.equal(true)
    for (const text of ['\u0000', 'a\nb', '\u001f', '\u007f', '\u0085', '\ud83c', '\udf75\ud83c'])
      expect(isPlainText(text)).to.equal(false)
  })

  it('truncateBytes cuts between characters, as late as possible', () => {
    fc.assert(
      fc.property(wellFormed, fc.nat(130), (text, bytes) => {
        const cut = truncateBytes(text, bytes)
        expect(text.startsWith(cut)).to.equal(true)
        expect(byteLength(cut)).to.be.at.most(bytes)
        const next = Array.from(text.slice(cut.length))[0]
        if (next !== undefined) expect(byteLength(cut + next)).to.be.above(bytes)
      }),
    )
  })

  it('quote removes control and bidirectional characters, and returns at most 80 characters', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = quote(text)
        expect(shown).not.to.match(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
        expect(shown.length).to.be.at.most(80)
      }),
    )
    expect(quote('sencha')).to.equal('sencha')
  })

  it('sortKeyOf folds case and width', () => {
    expect(sortKeyOf('ＴＥＡ')).to.equal('tea')
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(byteLength(sortKeyOf(text))).to.be.at.most(1020)
      }),
    )
  })
})

describe('locales', () => {
  it('are parsed in any case, and returned in lower case', () => {
    for (const [text, code] of [
      ['en', 'en'],
      ['PT-br', 'pt-br'],
      ['zh-Hant-TW', 'zh-hant-tw'],
      ['yue', 'yue'],
    ] as const)
      expect(parseLocale(text)).to.equal(code)
  })

  it('parseSourceLocale accepts _ as a separator, and none before capitals', () => {
    expect(['zhHans', 'ptBR', 'zhXy', 'myAPI'].map(parseSourceLocale)).to.deep.equal([
      'zh-hans',
      'pt-br',
      null,
      null,
    ])
    expect(parseSourceLocale('pt_BR')).to.equal('pt-br')
    expect(parseSourceLocale('zh_Hant-TW')).to.equal('zh-hant-tw')
    expect(parseSourceLocale('_en')).to.equal(null)
  })
})

describe('namespaces', () => {
  it('are named by the prefix of a path', () => {
    for (const ns of NAMESPACES) expect(namespaceOf(`${prefixOf(ns)}x`)).to.equal(ns)
  })

  it('default to main', () => {
    for (const path of [
      'template',
      'Template:x',
      'help:x',
      ' template:x',
      'a/template:x',
      'templates:x',
      ':x',
    ])
      expect(namespaceOf(path), path).to.equal('main')
  })
})
