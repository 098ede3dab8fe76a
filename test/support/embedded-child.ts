import pg from 'pg'
import { openEmbedded } from '../../src/data/embedded/embedded.ts'

/**
 * A process of its own that opens the embedded database of a folder, says whether it owns it, and writes
 * rows named after itself, one a commit, printing each number after its commit; until it is told to stop.
 * @param argv folder, name, how many rows
 */
const [folder, name, count] = process.argv.slice(2) as [string, string, string]

const database = await openEmbedded(folder)
const pool = new pg.Pool({ host: database.host, port: database.port, user: 'postgres', database: 'postgres' })
pool.on('error', () => {})
await pool.query('create table if not exists row (name text, number int)').catch((error) => {
  // Two that make the table at one moment: one is told that its type exists.
  if (error.code !== '23505') throw error
})
process.stdout.write(`owner ${database.owner}\n`)
for (let number = 1; number <= Number(count); number++) {
  await pool.query('insert into row values ($1, $2)', [name, number])
  process.stdout.write(`wrote ${number}\n`)
}
process.stdout.write('done\n')
process.stdin.once('data', async () => {
  await pool.end()
  await database.close()
  process.exit()
})
