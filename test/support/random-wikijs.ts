import type { RandomChoices } from './random-choices.ts'
import type { Wikijs } from './wikijs.ts'

const PATHS = ['tea', 'mate', 'a/b', 'secret/plan', 'template:cup', 'category:x']
const LOCALES = ['en', 'en', 'ru', 'de']
const TAGS = ['drinks', 'hidden', 'x']

/** Lets the end date of a page pass: as when the clock does, nothing tells Lectern of it. */
const letEndPass = async (wikijs: Wikijs, id: number): Promise<void> => {
  const triggers = await wikijs.rows<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = 'public.pages'::regclass and tgname like 'lectern%'`,
  )
  const setTriggers = (how: string) =>
    wikijs.rows(triggers.map(({ name }) => `alter table public.pages ${how} trigger ${name}`).join(';'))
  await wikijs.rows('begin')
  await setTriggers('disable')
  await wikijs.rows(`update public.pages set "publishEndDate" = '2001-01-01T00:00:00Z' where id = $1`, [id])
  await wikijs.rows(
    `update wikijs.expiration set expires_at = '2001-01-01' where page_id = $1 and revision_id is null`,
    [id],
  )
  await wikijs.rows(`update wikijs.schedule set at = '2001-01-01' where page_id = $1`, [id])
  await setTriggers('enable always')
  await wikijs.rows('commit')
}

/**
 * Random writes of a Wiki.js. Each call writes one transaction of one to four of them, lets the end dates of pages pass,
 * or fails and is rolled back. Long: the writes share the ids of the pages.
 * @returns a function that writes, and says what. It calls `between` when something changed that no transaction did
 */
export const wikijsStep = (
  { below, once, pick }: RandomChoices,
  wikijs: Wikijs,
): ((between: () => Promise<void>) => Promise<{ title: string; isHidden: boolean }>) => {
  let numbers = 0
  const number = () => {
    numbers += 1
    return numbers
  }
  const text = () => `Text ${number()}`

  const randomPage = () => ({
    path: pick(PATHS),
    localeCode: pick(LOCALES),
    title: `Title ${number()}`,
    content: text(),
    tags: TAGS.filter(() => once(4)),
    isPublished: !once(5),
    isPrivate: once(7),
    publishEndDate: once(8) ? '2001-01-01T00:00:00Z' : once(4) ? '2999-01-01T00:00:00Z' : '',
    publishStartDate: once(10) ? '2999-01-01T00:00:00Z' : '',
    authorId: pick([1, 4]),
  })

  const ids = async () =>
    (await wikijs.rows<{ id: number }>('select id from public.pages order by id')).map(({ id }) => id)
  const set = (id: number, column: string, value: unknown) =>
    wikijs.rows(`update public.pages set "${column}" = $2 where id = $1`, [id, value])

  /** Paths are unique in each language, as in Wiki.js. */
  const isFree = async (path: string, localeCode: string) =>
    (await wikijs.rows('select from public.pages where path = $1 and "localeCode" = $2', [path, localeCode]))
      .length === 0

  const writes: Record<string, (id: number) => Promise<unknown>> = {
    create: async () => {
      const page = randomPage()
      if (await isFree(page.path, page.localeCode)) await wikijs.create(page)
    },
    edit: (id) => wikijs.update(id, { title: `Title ${number()}`, content: text() }),
    publish: (id) =>
      wikijs.update(id, { isPublished: true, isPrivate: false, publishStartDate: '', publishEndDate: '' }),
    hide: (id) => wikijs.update(id, once(2) ? { isPublished: false } : { isPrivate: true }),
    dates: (id) => set(id, 'publishEndDate', pick(['', '2999-01-01T00:00:00Z', '2001-01-01T00:00:00Z'])),
    move: async (id) => {
      const [path, locale] = [pick(PATHS), pick(LOCALES)]
      if (await isFree(path, locale)) await wikijs.move(id, path, locale)
    },
    swap: async (id) => {
      const other = pick(await ids())
      const [a] = await wikijs.rows<{ path: string; localeCode: string }>(
        'select path, "localeCode" from public.pages where id = $1',
        [id],
      )
      const [b] = await wikijs.rows<{ path: string; localeCode: string }>(
        'select path, "localeCode" from public.pages where id = $1',
        [other],
      )
      if (id === other) return
      await wikijs.move(id, `between-${id}`, a!.localeCode)
      await wikijs.move(other, a!.path, a!.localeCode)
      await wikijs.move(id, b!.path, b!.localeCode)
    },
    delete: (id) => wikijs.delete(id),
    'delete and create': async (id) => {
      const [{ path, localeCode } = { path: '', localeCode: '' }] = await wikijs.rows<{
        path: string
        localeCode: string
      }>('select path, "localeCode" from public.pages where id = $1', [id])
      await wikijs.delete(id)
      await wikijs.create({ ...randomPage(), path, localeCode })
    },
    'text in place': (id) => set(id, 'content', text()),
    render: (id) => set(id, 'render', `<p>${text()}</p>`),
    tags: (id) =>
      wikijs.tag(
        id,
        TAGS.filter(() => once(2)),
      ),
    'name of a tag': () =>
      wikijs.rows('update public.tags set title = $1 where tag = $2', [`Tag ${below(3)}`, pick(TAGS)]),
    'name of an author': () =>
      wikijs.rows('update public.users set name = $1 where id = 4', [`Author ${below(3)}`]),
    'a hidden version': () =>
      wikijs.rows('update public."pageHistory" set "isPrivate" = not "isPrivate" where id % 7 = $1', [
        below(7),
      ]),
    rules: () =>
      wikijs.guests(
        [
          {},
          ...(once(2) ? [{ deny: true, path: 'secret/' }] : []),
          ...(once(2) ? [{ deny: true, match: 'TAG' as const, path: 'hidden' }] : []),
          ...(once(4) ? [{ deny: true, path: '', locales: ['ru'] }] : []),
        ],
        pick([undefined, undefined, ['read:pages', 'read:source'], ['read:pages', 'read:history']]),
      ),
  }

  /** Writes to pages that guests do not see, and will not. */
  const writeHidden = async (): Promise<boolean> => {
    const hidden = await wikijs.rows<{ id: number }>(
      'select id from public.pages where id not in (select id from wiki.live_page) and (not "isPublished" or "isPrivate")',
    )
    for (const { id } of hidden) {
      await wikijs.update(id, { title: `Title ${number()}`, content: text() })
      await wikijs.tag(
        id,
        TAGS.filter(() => once(2)),
      )
    }
    return true
  }

  /** A page whose end date passes by the clock. Before it is swept, its date may change. */
  const expire = async (between: () => Promise<void>): Promise<string> => {
    const all = await ids()
    if (all.length === 0) return 'nothing'
    const id = pick(all)
    const end = '2999-01-01T00:00:00Z'
    await wikijs.update(id, {
      isPublished: true,
      isPrivate: false,
      publishStartDate: '',
      publishEndDate: end,
    })
    await between()
    // Copies that start in a moment read past the number of the page.
    const other = pick(all)
    if (other !== id) await wikijs.update(other, { title: `Title ${number()}`, content: text() })
    await letEndPass(wikijs, id)
    await between()
    if (once(2)) await set(id, 'publishEndDate', pick(['', '2999-01-01T00:00:00Z']))
    await wikijs.rows('select wikijs.sweep()')
    return 'an end date that passes'
  }

  return async (between) => {
    if (once(8)) return { title: await expire(between), isHidden: false }
    if (once(8)) return { title: 'hidden pages', isHidden: await writeHidden() }
    const fails = once(8)
    const done: string[] = []
    await wikijs.rows('begin')
    for (let i = 1 + below(4); i > 0; i -= 1) {
      const all = await ids()
      const name = all.length < 3 ? 'create' : pick(Object.keys(writes))
      if (name === 'rules' && !once(3)) continue
      await writes[name]!(all.length === 0 ? 0 : pick(all))
      done.push(name)
    }
    await wikijs.rows(fails ? 'rollback' : 'commit')
    return { title: `${done.join(', ')}${fails ? ' (rolled back)' : ''}`, isHidden: fails }
  }
}
