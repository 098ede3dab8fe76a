import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { ImportError, UsageError } from '@lectern/wiki/errors'
import { expect } from 'chai'
import { failureMessage } from '../src/commands/failure.ts'
import { environmentOf, lectern } from './support/cli.ts'
import { testDatabase } from './support/database.ts'
import { withFile } from './support/importing.ts'

describe('failure message', () => {
  it('is only the message of an error that the user can fix', () => {
    expect(failureMessage(new UsageError('There is no file a.'))).to.equal('There is no file a.')
    expect(failureMessage(new ImportError('Line 1: not UTF-8'))).to.equal('Line 1: not UTF-8')
  })

  const systemErrors: [error: Error & { code?: string }, advice: RegExp][] = [
    [
      Object.assign(new Error('write'), { code: 'ENOSPC' }),
      /^The disk is full\. Free some space.* \(write\)$/,
    ],
    [Object.assign(new Error('open'), { code: 'EMFILE' }), /ulimit -n 1024/],
    [
      Object.assign(new Error('could not extend file'), { code: '53100' }),
      /^The database's disk is full.*\(could not extend file\)$/,
    ],
    [Object.assign(new Error('cannot execute INSERT'), { code: '25006' }), /must name the primary/],
    [new Error('could not write to file "pg_wal": No space left on device'), /^The disk is full/],
  ]
  for (const [error, advice] of systemErrors) {
    it(`says what to do next: ${error.code ?? error.message}`, () => {
      expect(failureMessage(error)).to.match(advice).and.not.include('    at ')
    })
  }

  it('says how to report a defect, and includes the stack only on request', () => {
    const defect = new TypeError('x is not a function')
    expect(failureMessage(defect)).to.match(
      /^Unexpected error: TypeError: x is not a function\n.*LOG_LEVEL=debug/,
    )
    expect(failureMessage(defect)).to.not.include('    at ')
    expect(failureMessage(defect, true)).to.include('    at ')
    expect(failureMessage('a text')).to.include('Unexpected error: a text')
  })

  const run = async (environment: Record<string, string>, file: string) => {
    const { place } = await testDatabase()
    return lectern(['import', 'ndjson', file], { ...environmentOf(place), ...environment })
  }
  /** Makes the process fail after the command has started, outside awaited code. */
  const failWith = (statement: string): string => {
    const look = `if(!process.listenerCount("uncaughtException"))return;clearInterval(timer);${statement}`
    return `--import=data:text/javascript,${encodeURIComponent(`const timer=setInterval(()=>{${look}},20)`)}`
  }

  it('is one message with status 1, also for uncaught exceptions and unhandled rejections', () =>
    withFile('pipe', undefined, async (file) => {
      await once(spawn('mkfifo', [file]), 'close')
      const writing = await open(file, 'r+') // so that the import waits for lines
      try {
        for (const statement of ['throw new TypeError("oops")', 'Promise.reject(new TypeError("oops"))']) {
          const quiet = await run({ NODE_OPTIONS: failWith(statement) }, file)
          expect([quiet.status, quiet.stderr.split('\n')[0]]).to.deep.equal([
            1,
            'lectern: Unexpected error: TypeError: oops',
          ])
          expect(quiet.stderr).to.not.include('    at ')
        }
        const loud = { NODE_OPTIONS: failWith('throw new TypeError("oops")'), LOG_LEVEL: 'debug' }
        expect((await run(loud, file)).stderr).to.include('    at ')
      } finally {
        await writing.close()
      }
    }))
})
