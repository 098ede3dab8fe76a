import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packagePath } from '../src/paths.ts'

/** The files of each client that its users need, below `clients/`; a folder stands for the files in it with these ends. */
const CLIENTS = {
  javascript: { files: ['package.json', 'README.md', 'LICENSE'], folder: 'dist', ends: ['.js', '.d.ts'] },
  python: { files: ['pyproject.toml', 'README.md', 'LICENSE'], folder: 'src', ends: ['.py', 'py.typed'] },
}

/** The time of all files, the one that npm uses: seconds. A wheel cannot contain a file from before 1980. */
const TIME = 499_162_500

/** Writes the archives with the clients that a Lectern serves, as `npm` and `pip` install them. Equal files give equal archives. */
export const writeClientArchives = (destination: string): void => {
  mkdirSync(destination, { recursive: true })
  for (const [client, { files, folder, ends }] of Object.entries(CLIENTS)) {
    const root = packagePath('clients', client)
    const inFolder = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => ends.some((end) => name.endsWith(end)))
      .map((name) => join(folder, name).split(sep).join('/'))
    const entries = [...files, ...inFolder].sort().map((name) => {
      const body = readFileSync(join(root, name))
      const padding = Buffer.alloc(-body.length & 511)
      return Buffer.concat([header(`package/${name}`, body.length), body, padding])
    })
    const archive = gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]), { level: 9 })
    writeFileSync(join(destination, `${client}.tgz`), archive)
  }
}

/** The header of a file in a tar archive (POSIX.1, ustar). @param name at most 100 bytes */
const header = (name: string, bytes: number): Buffer => {
  const block = Buffer.alloc(512)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  block.write(name, 0)
  block.write(
    `${octal(0o644, 8)}\0${octal(0, 8)}\0${octal(0, 8)}\0${octal(bytes, 12)}\0${octal(TIME, 12)}\0`,
    100,
  )
  // The sum counts its own field as spaces.
  block.write('        0', 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)}\0 `, 148)
  return block
}
