import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { killOnExit } from './children.ts'
import type { Load, LoadResult } from './load.ts'

/** A wrk script: it repeats a list of requests, built before the load starts, and prints the result as one line of JSON. */
const luaScript = (requests: string[]): string => `
local requests = { ${requests.join(',\n')} }
local count, index = #requests, 0
request = function()
  index = index % count + 1
  return requests[index]
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"httpErrors":%d,"networkErrors":%d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
`

const luaString = (text: string): string =>
  `"${[...Buffer.from(text)].map((byte) => (byte > 31 && byte < 127 && byte !== 34 && byte !== 92 ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`)).join('')}"`

/** Runs a load with wrk, on one thread. @throws Error if wrk does not finish */
export const runWrk = async ({ origin, requests, connections, seconds }: Load): Promise<LoadResult> => {
  const { host } = new URL(origin)
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  try {
    const file = join(folder, 'requests.lua')
    const texts = requests.map(({ method = 'GET', path, headers = {}, body = '' }) => {
      const allHeaders = {
        Host: host,
        ...headers,
        ...(body ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}),
      }
      const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
      return luaString(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
    })
    await writeFile(file, luaScript(texts))
    const wrk = promisify(execFile)(
      'wrk',
      ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', file, origin],
      { timeout: (seconds + 30) * 1000, maxBuffer: 1 << 20 },
    )
    killOnExit(wrk.child)
    const { stdout } = await wrk
    const result = /^RESULT (.*)$/m.exec(stdout)?.[1]
    if (result === undefined) throw new Error(`wrk did not finish:\n${stdout}`)
    return JSON.parse(result)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
