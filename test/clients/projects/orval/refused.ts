import { getPage, getRevision, listPages, listRecentEdits } from './generated/client.ts'

/** Mistakes that must not compile. */
export const mistakes = async () => {
  // @ts-expect-error a namespace that there is not
  listPages({ ns: 'talk' })
  // @ts-expect-error a number, not its digits
  listRecentEdits({ limit: '1' })
  // @ts-expect-error a page needs its path
  getPage()
  const answer = await getRevision('x')
  // @ts-expect-error there may be no answer
  answer.data.markdown
  // @ts-expect-error the first edit has no parent
  if (answer.status === 200) answer.data.parent.length
  // A code that is newer than this client.
  return answer.status === 404 && answer.data.error.code === 'gone'
}
