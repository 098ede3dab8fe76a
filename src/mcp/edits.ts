import { z } from 'zod'
import { oneLine } from './answer.ts'

/** What lists of edits have in common. */

/** Fields of an edit in a structured answer. */
export const editSchemaFields = {
  revision: z.string().meta({ description: 'Id of the revision, for compare_revisions.' }),
  created_at: z.string(),
  author: z.string(),
  comment: z.string().meta({ description: 'Summary of the author. A long one is cut, and ends with …' }),
  size: z.int().meta({ description: 'Size of the text, bytes.' }),
  url: z.string().meta({ description: 'URL of the revision in the API.' }),
}

interface Edit {
  id: string
  created_at: string
  author: { name: string }
  comment: string
  size: number
  url: string
}

export const structuredEdit = ({ id, created_at, author, comment, size, url }: Edit) => ({
  revision: id,
  created_at,
  author: author.name,
  comment: oneLine(comment, COMMENT_CHARACTERS),
  size,
  url,
})

/** The line of an edit in a list. */
export const editLine = ({ id, created_at, author, comment, size, url }: Edit): string => {
  const summary =
    comment.trim() === '' ? '' : ` · ${oneLine(comment, COMMENT_CHARACTERS, ` (cut; whole: ${url})`)}`
  return `${created_at} · revision ${id} · by ${oneLine(author.name)} · ${size} bytes${summary}`
}

/** The longest comment has 8 KB. */
const COMMENT_CHARACTERS = 500
