import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import { loadModules } from '../src/docs-site/code.ts'
import { missingFor, runExample, WRITTEN_FOR } from './support/guide.ts'
import { withService, withWorld } from './support/service.ts'

/** A path with what means something to a shell, to curl, to a string of a language or to a URL. */
const PATH = `it's "50%" [a-c] {b,c} \\n $HOME \`x\` ?#& <чай>`

describe('code samples of the reference', () => {
  const test = withService()
  withWorld(test, { pages: [{ path: PATH, revisions: [{ title: 'Found' }] }] })

  for (const [language, name] of [
    ['sh', 'curl'],
    ['js', 'javascript'],
    ['python', 'python'],
  ] as const) {
    const example = { part: '', language, code: '', prints: '' }
    const missing = missingFor(example)
    const title = `in ${name} read a page, whatever its path`
    if (missing.length > 0) it(`${title} (pending: ${missing.join(' and ')} not installed)`)
    else
      it(title, async () => {
        const { urlOf, samplesOf } = await loadModules()
        // As it was typed, only `%`, `?` and `#` encoded: the browser encodes the rest.
        const target = `/pages/${PATH.replace(/[%?#\\]/g, encodeURIComponent)}`
        const code = samplesOf(urlOf(WRITTEN_FOR, target), true)[name]
        const output = await runExample({ ...example, code }, `${test.service.listeningUrl}/api/v1`)
        expect(output).to.match(/["']?title["']?: ?["']Found["']/)
      })
  }

  it('in Go are formatted as gofmt does, and quote nothing that needs an escape', async () => {
    const { urlOf, samplesOf } = await loadModules()
    const { go } = samplesOf(urlOf(WRITTEN_FOR, `/pages/${PATH}`), true)
    expect(/http\.Get\("([^"\\]*)"\)/.exec(go)?.[1]).to.match(/^http:\/\/localhost:3000\/api\/v1\/pages\//)
    const { stdout, error } = spawnSync('gofmt', { input: go, encoding: 'utf8' })
    if (!error) expect(stdout.trimEnd()).to.equal(go)
  })
})
