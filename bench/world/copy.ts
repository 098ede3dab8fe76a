import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Rows on their way into a table by COPY. */
export interface Copy {
  /** Values in the order of the columns; null and booleans as they are. */
  row(values: readonly (string | number | boolean | null)[]): Promise<void>
  /** Waits until all are stored. */
  end(): Promise<void>
}

const CHUNK = 1 << 18

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const field = (value: string | number | boolean | null): string =>
  value === null ? '\\N' : String(value).replace(/[\\\n\r\t]/g, (character) => escapes[character]!)

/** @param columns as SQL writes them: `wiki.page (id, path)` */
export const copyInto = (client: pg.ClientBase, columns: string): Copy => {
  const stream = client.query(copyFrom(`copy ${columns} from stdin`))
  const done = finished(stream)
  // Told by the next write or the end; until then nobody listens.
  done.catch(() => {})
  let waiting = ''
  const flush = async () => {
    const chunk = waiting
    waiting = ''
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done])
  }
  return {
    row: async (values) => {
      waiting += `${values.map(field).join('\t')}\n`
      if (waiting.length > CHUNK) await flush()
    },
    end: async () => {
      stream.end(waiting)
      await done
    },
  }
}
