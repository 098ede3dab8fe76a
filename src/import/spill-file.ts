import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { readLines } from './lines.ts'

/** Edits that wait in a temporary file, made with the first of them. */
interface SpillFile {
  /** @param bytes without an end of line, as nothing within a line has */
  write(bytes: Buffer): Promise<void>
  /** All that was written, in order. */
  read(): AsyncGenerator<Buffer>
  remove(): Promise<void>
}

/** Its methods throw UsageError when the file cannot be written, saying where it is and what to do. */
export const makeSpillFile = (): SpillFile => {
  let folder: string | undefined
  const fileOf = (made: string): string => join(made, 'revisions')
  const failed = ({ message }: Error): never => {
    throw new UsageError(
      `Edits of a long line that begins with them cannot be kept in ${tmpdir()}: ${message}. ` +
        'Make room there, let TMPDIR name another folder, or write "revisions" as the last field of a line.',
    )
  }
  return {
    write: async (bytes) => {
      folder ??= await mkdtemp(join(tmpdir(), 'lectern-import-')).catch(failed)
      await appendFile(fileOf(folder!), Buffer.concat([bytes, LF])).catch(failed)
    },
    async *read() {
      if (folder === undefined) return
      const stream = createReadStream(fileOf(folder))
      for await (const { bytes } of readLines(stream, Number.POSITIVE_INFINITY)) {
        if (bytes.length > 0) yield bytes
      }
    },
    remove: async () => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

const LF = Buffer.from('\n')
