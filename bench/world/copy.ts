import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Writes rows into a table with COPY. */
export interface Copy {
  /** Writes a row. Values are in the order of the columns. */
  row(values: readonly (string | number | boolean | null)[]): Promise<void>
  /** Waits until PostgreSQL has stored all rows. */
  end(): Promise<void>
}

const CHUNK = 1 << 18

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const field = (value: string | number | boolean | null): string =>
  value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (character) => escapes[character]!)

/** @param columns the table and its columns in SQL: `wiki.page (id, path)` */
export const copyInto = (client: pg.ClientBase, columns: string): Copy => {
  const stream = client.query(copyFrom(`copy ${columns} from stdin`))
  const done = finished(stream)
  // The next write, or the end, reports an error. This handler prevents an unhandled rejection until then.
  done.catch(() => {})
  let buffer = ''
  const flush = async () => {
    const chunk = buffer
    buffer = ''
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done])
  }
  return {
    row: async (values) => {
      buffer += `${values.map(field).join('\t')}\n`
      if (buffer.length > CHUNK) await flush()
    },
    end: async () => {
      stream.end(buffer)
      await done
    },
  }
}
