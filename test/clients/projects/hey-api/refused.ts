import { getPage, getRevision, listPages, listRecentEdits } from './generated/index.ts'

/** Mistakes that must not compile. */
export const mistakes = async () => {
  // @ts-expect-error a namespace that there is not
  listPages({ query: { ns: 'talk' } })
  // @ts-expect-error a number, not its digits
  listRecentEdits({ query: { limit: '1' } })
  // @ts-expect-error a page needs its path
  getPage()
  const { data, error } = await getRevision({ path: { id: 'x' } })
  // @ts-expect-error there may be no answer
  data.markdown
  // @ts-expect-error the first edit has no parent
  data?.parent.length
  // A code that is newer than this client.
  return error?.error.code === 'gone'
}
