import { byteLength } from '../wiki/text.ts'
import type { RevisionRecord } from './records.ts'

/** Bytes of an edit as it moves to the database: its text and what is stored beside it. */
export const revisionBytes = ({ markdown, comment, author, title, categories }: RevisionRecord): number => {
  let bytes = byteLength(markdown) + byteLength(comment) + byteLength(author) + byteLength(title) + ROW
  for (const { key, sort_key = title } of categories) bytes += byteLength(key) + byteLength(sort_key) + MEMBER
  return bytes
}

/** What an edit and a category take beside their texts: id, time, names of fields. */
const ROW = 100
const MEMBER = 30
