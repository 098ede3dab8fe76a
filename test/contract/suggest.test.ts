import { expect } from 'chai'
import { withService, withWorld } from '../support/service.ts'

interface Item {
  path: string
  title: string
  locale: string
  highlights: [number, number][]
}

/** A page with a number of edits: the more, the better. */
const page = (path: string, title: string, edits = 1, more: object = {}) => ({
  path,
  revisions: Array.from({ length: edits }, (_, i) => ({
    title,
    created_at: `2024-01-01T00:00:${String(i).padStart(2, '0')}Z`,
    markdown: 'Text.',
  })),
  ...more,
})

describe('GET /suggest', () => {
  const test = withService()
  const ask = async (q: string, more = ''): Promise<Item[]> =>
    (await test.get(`/suggest?q=${encodeURIComponent(q)}${more}`)).body.items
  const titles = async (q: string, more = '') => (await ask(q, more)).map(({ title }) => title)

  withWorld(test, {
    locales: ['en', 'ru', 'ja', 'th', 'ar'],
    pages: [
      page('tea', 'Tea'),
      page('team', 'Team', 3),
      page('tea-ceremony', 'Tea ceremony', 9),
      page('teapot', 'Teapot', 5),
      page('green-tea', 'Green tea', 9),
      page('earl-grey', 'Earl Grey', 20, { aliases: ['Sen tea, “Lady” blend'] }),
      page('sencha', 'Sencha', 2),
      page('cafe', '“Café” Müller', 2),
      page('strasse', 'Straße'),
      page('wide', 'ＭＡＴＣＨＡ'),
      page('emoji', '🍵🍵 Oolong'),
      page('new-york', 'New York'),
      page('kettle-10', 'Kettle 10.22 to boil'),
      page('kettle-22', 'Kettle 22.10 to boil'),
      page('kettle', 'Kettle 22.10'),
      page('bowl-10', 'Bowl.js 10.22.0', 3),
      page('bowl-22', 'Bowl.js 22.4.1'),
      { path: 'big-apple', revisions: [{ title: 'Big Apple', markdown: '→ [New York](/en/new-york)' }] },
      { path: 'ny', revisions: [{ title: 'New Yorker city', markdown: '→ [New York](/en/new-york)' }] },
      { path: 'broken', revisions: [{ title: 'Broken redirect', markdown: '→ [Gone](/en/gone)' }] },
      page('category:teas', 'Teas'),
      page('template:tea', 'Teal template'),
      page('hidden', 'Tea secret', 9, { state: 'draft' }),
      {
        path: 'renamed',
        revisions: [
          { title: 'Assam' },
          { created_at: '2025-01-01T00:00:00Z', title: 'Teaberry', status: 'pending' },
        ],
      },
      page('ёлка', 'Ёлочный чай', 1, { locale: 'ru' }),
      page('chai', 'Чайная церемония', 2, { locale: 'ru' }),
      page('sencha', '煎茶の作り方', 1, { locale: 'ja' }),
      page('thai', 'ชาเขียว', 1, { locale: 'th' }),
      page('arabic', 'الشاي الأخضر', 1, { locale: 'ar' }),
    ],
  })

  it('returns pages whose title begins so: the title itself first, then pages with most edits', async () => {
    const { status, body, headers } = await test.get('/suggest?q=tea')
    expect(status).to.equal(200)
    expect(headers['content-language']).to.equal('en')
    expect(body.next).to.equal('')
    expect(body.items.map(({ title }: Item) => title)).to.deep.equal([
      ...['Tea', 'Tea ceremony', 'Teapot', 'Team', 'Teal template', 'Green tea'],
    ])
    expect(body.items[1]).to.deep.equal({
      path: 'tea-ceremony',
      title: 'Tea ceremony',
      locale: 'en',
      ns: 'main',
      url: 'https://en.wiki.example/tea-ceremony',
      highlights: [[0, 3]],
    })
  })

  it('works from the first letter to the whole title, in the limits', async () => {
    expect(await titles('t', '&limit=2')).to.deep.equal(['Tea ceremony', 'Teapot'])
    for (let length = 5; length <= 12; length++)
      expect((await titles('Tea ceremony'.slice(0, length)))[0]).to.equal('Tea ceremony')
    expect(await titles('Tea ceremony of')).to.deep.equal([])
  })

  it('finds titles by the beginning of a later word, after those that begin so', async () => {
    expect(await titles('gre')).to.deep.equal(['Green tea', 'Earl Grey'])
    for (const q of ['g', 'grey', 'GREY', 'gréy']) expect(await titles(q), q).to.include('Earl Grey')
    expect((await ask('grey'))[0]!.highlights).to.deep.equal([[5, 9]])
    expect((await ask('g')).at(-1)).to.deep.include({ title: 'Earl Grey', highlights: [[5, 6]] })
    expect((await ask('cer'))[0]).to.deep.include({ title: 'Tea ceremony', highlights: [[4, 7]] })
    expect(await titles('yorker c')).to.deep.equal(['New York'])
    expect(await titles('чай', '&locale=ru')).to.deep.equal(['Чайная церемония', 'Ёлочный чай'])
    expect(await titles('grew')).to.deep.equal(['Green tea', 'Earl Grey'])
    expect(await titles('gwer')).not.to.include('Earl Grey')
    expect(await titles('rey')).not.to.include('Earl Grey')
  })

  it('finds titles by the beginnings of words in any order, the last one as near to the beginning as possible', async () => {
    expect(await titles('gre earl')).to.deep.equal(['Earl Grey'])
    expect((await ask('gre earl'))[0]!.highlights).to.deep.equal([
      [0, 4],
      [5, 8],
    ])
    expect(await titles('cer te')).to.deep.equal(['Tea ceremony'])
    expect((await ask('kettle 2'))[0]).to.deep.include({ title: 'Kettle 22.10', highlights: [[0, 8]] })
    expect(await titles('boil 22')).to.deep.equal(['Kettle 22.10 to boil', 'Kettle 10.22 to boil'])
    expect(await titles('kettle v22')).to.deep.equal([
      'Kettle 22.10',
      'Kettle 22.10 to boil',
      'Kettle 10.22 to boil',
    ])
    expect(await titles('gre zzz')).to.deep.equal([])
    expect(await titles('boil 2 ')).to.deep.equal([])
    expect(await titles('gre earl earl earl earl earl earl earl')).to.deep.equal(['Earl Grey'])
    expect(
      await titles('gre earl earl earl earl earl earl earl earl'),
      'more than eight words',
    ).to.deep.equal([])
  })

  it('a number inside another one comes after those that begin so, and words count before a typo', async () => {
    expect(await titles('22')).to.deep.equal([
      ...[
        'Kettle 22.10',
        'Kettle 22.10 to boil',
        'Bowl.js 22.4.1',
        'Bowl.js 10.22.0',
        'Kettle 10.22 to boil',
      ],
    ])
    for (const q of ['bowl v22', 'bowl 2'])
      expect((await ask(q)).map(({ title, highlights }) => [title, ...highlights.flat()])).to.deep.equal([
        ['Bowl.js 22.4.1', 0, 4, 8, q.length === 6 ? 9 : 10],
        ['Bowl.js 10.22.0', 0, 4, 11, q.length === 6 ? 12 : 13],
      ])
  })

  it('after a space, titles with the complete word come first', async () => {
    expect((await titles('tea ')).slice(0, 2)).to.deep.equal(['Tea', 'Tea ceremony'])
    expect((await titles('tea')).slice(1, 3)).to.deep.equal(['Tea ceremony', 'Teapot'])
  })

  it('ignores case, accents, width and signs, and highlights what was typed in the title as it is', async () => {
    const highlighted = async (q: string, locale = 'en') => {
      const [{ title, highlights }] = (await ask(q, `&locale=${locale}`)) as [Item]
      return highlights.map(([start, end]) => title.slice(start, end))
    }
    expect(await highlighted('CAFE')).to.deep.equal(['Café'])
    expect(await highlighted('cafe mu')).to.deep.equal(['Café” Mü'])
    expect(await highlighted('strass')).to.deep.equal(['Straß'])
    expect(await highlighted('matc')).to.deep.equal(['ＭＡＴＣ'])
    expect(await highlighted('oolo')).to.deep.equal(['Oolo'])
    expect(await highlighted('елоч', 'ru')).to.deep.equal(['Ёлоч'])
    expect(await highlighted('чай', 'ru')).to.deep.equal(['Чай'])
    expect(await highlighted('煎茶', 'ja')).to.deep.equal(['煎茶'])
    expect(await highlighted('ชาเ', 'th')).to.deep.equal(['ชาเ'])
    expect(await highlighted('الشا', 'ar')).to.deep.equal(['الشا'])
  })

  it('forgives one typo: a letter too many, too few or wrong, or two swapped', async () => {
    for (const q of ['sennch', 'snch', 'senxh', 'senhc', 'esnch', 'xench', 'sencha x'.slice(0, 6)])
      expect((await titles(q))[0], q).to.equal('Sencha')
    expect((await ask('senxh'))[0]!.highlights).to.deep.equal([[0, 5]])
    expect((await ask('snch'))[0]!.highlights).to.deep.equal([[0, 5]])
    expect((await ask('sennch'))[0]!.highlights).to.deep.equal([[0, 5]])
    expect(await titles('greentea')).to.deep.equal(['Green tea'])
    expect(await titles('snhc')).to.deep.equal([])
    expect(await titles('чйная', '&locale=ru')).to.deep.equal(['Чайная церемония'])
    expect(await titles('煎茶の作方', '&locale=ja')).to.deep.equal(['煎茶の作り方'])
    expect(await titles('煎茶の昨り', '&locale=ja')).to.deep.equal(['煎茶の作り方'])
    expect(await titles('الشي ا', '&locale=ar')).to.deep.equal(['الشاي الأخضر'])
    expect(await titles('gery')).to.deep.equal(['Earl Grey'])
    expect((await ask('ceremny'))[0]).to.deep.include({ title: 'Tea ceremony', highlights: [[4, 12]] })
  })

  it('pages with a typo come after those without', async () => {
    expect(await titles('teac')).to.deep.equal(['Tea ceremony', 'Teapot', 'Team', 'Tea', 'Teal template'])
  })

  it('a redirect stands for its target, once, and without a highlight', async () => {
    expect(await ask('big a')).to.deep.equal([
      {
        path: 'new-york',
        title: 'New York',
        locale: 'en',
        ns: 'main',
        url: 'https://en.wiki.example/new-york',
        highlights: [],
      },
    ])
    expect(await titles('new york')).to.deep.equal(['New York'])
    expect(await titles('broken')).to.deep.equal(['Broken redirect'])
  })

  it('the beginning of an alias finds its page, after titles that begin so, and without a highlight', async () => {
    expect((await ask('sen'))[0]).to.deep.include({ title: 'Sencha' })
    expect((await ask('sen'))[1]).to.deep.include({ title: 'Earl Grey', highlights: [] })
    for (const q of ['sen tea l', 'SEN TEA lady blend'])
      expect(await titles(q), q).to.deep.equal(['Earl Grey'])
  })

  it('returns nothing for hidden pages, pending edits, descriptions of categories, and texts without letters', async () => {
    for (const q of ['tea s', 'teab', 'teas', '', '!?', '   '])
      expect(
        (await titles(q)).filter((title) => /secret|berry|^Teas$/.test(title)),
        q,
      ).to.deep.equal([])
    expect((await test.get('/suggest')).body).to.deep.equal({ items: [], next: '' })
    expect(await titles('%_')).to.deep.equal([])
  })

  it('a text of any length is served', async () => {
    const long = ['a'.repeat(3000), '煎'.repeat(500), '\u0301'.repeat(2000), 'ﷺ'.repeat(256), '\ud83c']
    for (const q of [...long, 'te '.repeat(200), 'за '.repeat(170)])
      expect((await test.get(`/suggest?q=${encodeURIComponent(q.toWellFormed())}`)).status).to.equal(200)
  })
})
