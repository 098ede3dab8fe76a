import { resolve } from 'node:path'
import { packagePath } from '../src/paths.ts'
import { packRelease } from './released-files.ts'

/** `npm run package -- [FOLDER]`: packs this project, which is built, with all that it needs to run, into a folder. */
const [folder = '.'] = process.argv.slice(2)
process.stdout.write(`${packRelease(packagePath('.'), resolve(folder)).filename}\n`)
