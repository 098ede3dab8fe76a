import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { readLines } from './lines.ts'

/** A temporary file of revisions. It is created with the first revision. */
interface SpillFile {
  /** @param bytes without a line end; a part of a line has none */
  write(bytes: Buffer): Promise<void>
  /** Everything that was written, in order. */
  read(): AsyncGenerator<Buffer>
  remove(): Promise<void>
}

/** Its methods throw UsageError if the file cannot be written. The message says what to do. */
export const makeSpillFile = (): SpillFile => {
  let folder: string | undefined
  const fileIn = (parent: string): string => join(parent, 'revisions')
  const fail = ({ message }: Error): never => {
    throw new UsageError(
      `Cannot store the edits of a long line in ${tmpdir()}: ${message}. ` +
        'Free some space there, set TMPDIR to another folder, or write "revisions" as the last field of each line.',
    )
  }
  return {
    write: async (bytes) => {
      folder ??= await mkdtemp(join(tmpdir(), 'lectern-import-')).catch(fail)
      await appendFile(fileIn(folder!), Buffer.concat([bytes, LF])).catch(fail)
    },
    async *read() {
      if (folder === undefined) return
      const stream = createReadStream(fileIn(folder))
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
