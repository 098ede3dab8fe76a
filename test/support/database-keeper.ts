/**
 * Has the embedded database of a folder open until its standard input ends, so that the process of the tests stays small:
 * to start a program from a process of 800 MB takes 40 ms of processor time, from one of 150 MB it takes 10.
 */

import { openEmbeddedDatabase } from '@lectern/embedded/embedded'
import { CHANGED_CHANNEL } from '../../src/db/session.ts'

const database = await openEmbeddedDatabase(process.argv[2]!, { channels: [CHANGED_CHANNEL] })
process.stdin.resume().once('end', () => void database.close())
console.log('open')
