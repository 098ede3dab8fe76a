import { readdirSync, readFileSync } from 'node:fs'
import { packagePath } from '../../../src/paths.ts'

/** Payloads of one kind. */
export interface Family {
  title: string
  payloads: string[]
}

const FOLDER = packagePath('test', 'browser', 'payloads')

/**
 * The files of `payloads/`: a title after `%% `, then a payload a line. In it `§` is the end of a line, and
 * the pictures of control characters (U+2400 and on) are these characters.
 */
export const families = (): Family[] =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => {
      const [title = '', ...lines] = readFileSync(`${FOLDER}/${file}`, 'utf8').trimEnd().split('\n')
      return { title: title.replace('%% ', ''), payloads: lines.map(decoded) }
    })

const decoded = (line: string): string =>
  line
    .replaceAll('§', '\n')
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))
