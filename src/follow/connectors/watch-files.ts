import { unwatchFile, watchFile } from 'node:fs'

/** How often the size and date of a file are compared, milliseconds. */
const COMPARE_MS = 1_000

/** Watches files by their sizes and dates. A file may be absent, and appear later. */
export const watchFiles = (files: readonly string[], onChange: () => void): { close(): void } => {
  for (const file of files) watchFile(file, { interval: COMPARE_MS, persistent: false }, onChange)
  return {
    close: () => {
      for (const file of files) unwatchFile(file, onChange)
    },
  }
}
