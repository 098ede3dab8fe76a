import { readdirSync, readFileSync } from 'node:fs'
import { packagePath } from '../../../src/paths.ts'

/** A family of payloads. */
export interface Family {
  title: string
  payloads: string[]
}

const FOLDER = packagePath('test', 'browser', 'payloads')

/** The families of `payloads/`, each a file. */
export const families = (): Family[] =>
  readdirSync(FOLDER)
    .sort()
    .map((file) => readFamily(`${FOLDER}/${file}`))

/**
 * Reads a file of payloads: a title after `%% `, then one payload per line. In a payload, `§` stands for a line break,
 * and a control picture (U+2400 and later) for its control character.
 */
export const readFamily = (file: string): Family => {
  const [title = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return { title: title.replace('%% ', ''), payloads: lines.map(decoded) }
}

const decoded = (line: string): string =>
  line
    .replaceAll('§', '\n')
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))
