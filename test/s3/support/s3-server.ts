import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packagePath } from '../../../src/paths.ts'

/** Prints its port, and then each request. It checks signatures. */
const PROGRAM = `
const S3rver = require('@20minutes/s3rver')
const [directory, port] = process.argv.slice(1)
const configureBuckets = [{ name: 'tea.files' }]
const server = new S3rver({ directory, port: Number(port), address: '127.0.0.1', silent: true, configureBuckets })
server.middleware.unshift(async (context, next) => {
  await next()
  const acl = Object.keys(context.headers).filter((name) => /^x-amz-(acl|grant)/.test(name))
  console.log([context.method, context.url, context.status, ...acl].join(' '))
})
server.run().then(({ port }) => console.log(port))
`

/** An S3 server with the bucket `tea.files`. */
export class S3Server {
  /** Each request: its method, URL and status, and headers that would set an ACL. */
  requests: string[] = []
  /** For the SDK. */
  environment: Record<string, string> = {}
  readonly #folder = mkdtempSync(join(tmpdir(), 'lectern-s3-'))
  #port = '0'
  #process: ChildProcess | undefined

  /** Starts it again at the same port, if it was stopped. */
  async start(): Promise<void> {
    this.#process = spawn(process.execPath, ['-e', PROGRAM, this.#folder, this.#port], {
      cwd: packagePath('test', 's3'),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(this.#process.stdout!)
    const [port] = (await once(lines, 'line')) as [string]
    lines.on('line', (line) => this.requests.push(line))
    this.#port = port
    this.environment = {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#process!, 'exit')
    this.#process!.kill('SIGKILL')
    await ended
  }

  /** It accepts connections, and does not respond. */
  freeze(): void {
    this.#process!.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process!.kill('SIGCONT')
  }

  /** The names of the objects. */
  objects(): string[] {
    const files = readdirSync(join(this.#folder, 'tea.files'), { recursive: true }) as string[]
    return files
      .filter((name) => name.endsWith('_object'))
      .map((name) => name.replace(/\._S3rver_object$/, ''))
      .sort()
  }

  async remove(): Promise<void> {
    await this.stop()
    rmSync(this.#folder, { recursive: true })
  }
}
