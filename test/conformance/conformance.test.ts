import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { packagePath } from '../../src/paths.ts'
import { REVISIONS } from '../support/mcp.ts'
import { withService, withWorld } from '../support/service.ts'

/** Tools of the suite's example server, and calls of Lectern's tools that do what the scenario asks for. */
const SUBSTITUTES: Record<string, { name: string; arguments: object }> = {
  test_simple_text: { name: 'search', arguments: { query: 'tea' } },
  test_error_handling: { name: 'read_page', arguments: { path: 'no-such-page' } },
  test_logging_tool: { name: 'search', arguments: { query: 'tea' } },
  test_streaming_elicitation: { name: 'read_page', arguments: { path: 'tea' } },
}

const PROMPTS = 'The server has no prompts, and does not declare them.'
const RESOURCES = "It reads resources of the suite's example server."
const INPUT = 'No tool asks the client for input, so the server never asks for more.'
const TASKS = 'Tasks are an extension that the server does not declare.'

/** Scenarios that do not apply to a server that has tools and pages alone, and why. Names that end with a dash stand for all such. */
const NOT_APPLICABLE: Record<string, string> = {
  'prompts-': PROMPTS,
  'resources-': RESOURCES,
  'elicitation-': INPUT,
  'input-required-result-': INPUT,
  'tasks-': TASKS,
  'tools-call-sampling': INPUT,
  'tools-call-elicitation': INPUT,
  'tools-call-image': 'No tool returns images.',
  'tools-call-audio': 'No tool returns sound.',
  'tools-call-embedded-resource': 'All tools return text alone.',
  'tools-call-mixed-content': 'All tools return text alone.',
  'tools-call-with-logging': 'The server does not declare logging.',
  'logging-set-level': 'The server does not declare logging.',
  'tools-call-with-progress': 'Tools are fast, so they report no progress.',
  'completion-complete': 'The server does not declare completions.',
  'json-schema-2020-12': "It compares one tool of the suite's example server.",
  'http-custom-header-server-validation': 'No argument of a tool is also a header.',
}

/** Checks of other scenarios that do not apply, and why. */
const CHECKS_NOT_APPLICABLE: Record<string, string> = {
  'sep-2575-server-rejects-undeclared-capability': INPUT,
  'sep-2575-missing-capability-http-400': INPUT,
  'sep-2549-prompts-list-caching-hints': PROMPTS,
  'sep-2549-resources-read-caching-hints': RESOURCES,
}

/** How many scenarios must apply at least, so that the lists above cannot hide all of them. */
const APPLICABLE_LEAST = { '2026-07-28': 8, '2025-11-25': 7 }

const isNotApplicable = (scenario: string): boolean =>
  Object.keys(NOT_APPLICABLE).some((name) =>
    name.endsWith('-') ? scenario.startsWith(name) : scenario === name,
  )

/** A proxy that replaces the tools of the suite's example server. */
const startProxy = async (target: () => string): Promise<Server> => {
  const proxy = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { body, headers } = substitute(Buffer.concat(chunks).toString(), { ...incoming.headers })
      const forwarded = request(
        new URL(incoming.url!, target()),
        { method: incoming.method, headers, setHost: false },
        (response) => {
          outgoing.writeHead(response.statusCode!, response.headers)
          response.pipe(outgoing)
        },
      )
      forwarded.on('error', () => outgoing.destroy())
      forwarded.end(body)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

const substitute = (text: string, headers: NodeJS.Dict<string | string[]>) => {
  const unchanged = { body: text, headers }
  if (!text.includes('"tools/call"')) return unchanged
  const message = JSON.parse(text) as { params: { name: string } }
  const call = SUBSTITUTES[message.params.name]
  if (!call) return unchanged
  const body = JSON.stringify({ ...message, params: { ...message.params, ...call } })
  const name = headers['mcp-name'] === message.params.name ? { 'mcp-name': call.name } : {}
  return { body, headers: { ...headers, ...name, 'content-length': String(Buffer.byteLength(body)) } }
}

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** Runs all server scenarios of a revision. Some wait for 0.6 s only, which a busy machine may exceed. @returns the checks of each scenario */
const runSuite = async (url: string, revision: string, folder: string): Promise<Map<string, Check[]>> => {
  const suite = packagePath('test/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js')
  const loader = packagePath('test/conformance/node-20.mjs')
  const args = ['--import', loader, suite, 'server', '--url', url, '--requirements', revision, '-o', folder]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  await once(child, 'close')
  const scenarios = new Map<string, Check[]>()
  for (const name of readdirSync(folder)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\w-]+$/.exec(name)!
    scenarios.set(scenario!, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
  }
  return scenarios
}

describe('The conformance suite of MCP', () => {
  const test = withService({ mcp: true })
  withWorld(test, { pages: [{ path: 'tea' }] })
  let proxy: Server
  before(async () => {
    proxy = await startProxy(() => test.service.listeningUrl)
  })
  after(() => proxy.close())

  for (const revision of REVISIONS)
    it(`revision ${revision}: every scenario that applies to a server that has tools and pages alone passes`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'lectern-conformance-'))
      try {
        const { port } = proxy.address() as AddressInfo
        const scenarios = await runSuite(`http://localhost:${port}/mcp`, revision, folder)
        const applicable = [...scenarios].filter(([name]) => !isNotApplicable(name))
        expect(applicable.length).to.be.at.least(APPLICABLE_LEAST[revision])
        const failures = applicable.flatMap(([scenario, checks]) =>
          checks
            .filter(({ id, status }) => status === 'FAILURE' && !(id in CHECKS_NOT_APPLICABLE))
            .map(({ id, errorMessage }) => `${scenario} ${id}: ${errorMessage}`),
        )
        expect(failures).to.deep.equal([])
        const passed = applicable.flatMap(([, checks]) => checks).filter(({ status }) => status === 'SUCCESS')
        expect(passed.length).to.be.above(applicable.length)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }).retries(2)
})
