import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { completionScript, completionSlots } from '../src/commands/completion.ts'
import { makeProgram } from '../src/commands/program.ts'
import { lectern } from './support/cli.ts'

/** The completions of the last word in bash, with the script that `lectern completion bash` prints. */
const complete = (words: string[], folder = tmpdir()): string[] => {
  const script = `${completionScript(makeProgram(), 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lectern; printf '%s\\n' "\${COMPREPLY[@]}"`
  const found = execFileSync('bash', ['--norc', '-c', script, 'bash', 'lectern', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  return found.split('\n').filter((line) => line !== '')
}

describe('completion: bash', () => {
  it('registers itself when sourced once or twice, and prints no error', () => {
    const script = completionScript(makeProgram(), 'bash')
    const text = execFileSync(
      'bash',
      ['--norc', '-uc', `eval "$1"; eval "$1"; complete -p lectern`, 'x', script],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    expect(text).to.equal('complete -F _lectern lectern\n')
  })

  it('completes the names of commands', () => {
    expect(complete([''])).to.include.members(['serve', 'import', 'export', 'check', 'completion', '--help'])
    expect(complete(['se'])).to.deep.equal(['serve'])
    expect(complete(['import', ''])).to.include.members(['ndjson', 'git', 'mediawiki'])
    expect(complete(['import', 'me'])).to.deep.equal(['mediawiki'])
  })

  it('completes the options of the current command', () => {
    expect(complete(['export', '--'])).to.have.members([
      '--public',
      '--gzip',
      '--help',
      '--env-file',
      '--config',
    ])
    expect(complete(['import', 'git', '--l'])).to.have.members(['--layout', '--locale', '--license'])
    expect(complete(['import', 'git', '.', '--ref', 'main', '--na'])).to.deep.equal(['--name'])
  })

  it('completes the known values of an argument, and nothing for a free value', () => {
    expect(complete(['completion', 'z'])).to.deep.equal(['zsh'])
    expect(complete(['import', 'git', '--ref', ''])).to.deep.equal([])
  })

  it('completes files and folders, also with spaces in their names, and executes nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-completion-'))
    try {
      writeFileSync(join(folder, 'tea wiki.ndjson'), '')
      mkdirSync(join(folder, 'tea docs'))
      expect(complete(['import', 'ndjson', 'te'], folder)).to.have.members(['tea wiki.ndjson', 'tea docs'])
      for (const command of ['import git', 'import folder', 'import dokuwiki'])
        expect(complete([...command.split(' '), 'te'], folder), command).to.deep.equal(['tea docs'])
      for (const command of [
        'serve',
        'follow',
        'import mediawiki',
        'export',
        'serve --env-file',
        'check --config',
      ])
        expect(complete([...command.split(' '), 'te'], folder), command).to.have.length(2)
      expect(complete(['import', 'dokuwiki', '--conf', 'te'], folder)).to.deep.equal(['tea docs'])
      expect(complete(['import', 'ndjson', '$(touch ran)', ''], folder)).not.to.include('ran')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('lectern completion', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const) {
    it(`prints a script with every command and option: ${shell}`, async () => {
      const { status, stdout, stderr } = await lectern(['completion', shell])
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' })
      for (const { commands, options } of completionSlots(makeProgram())) {
        for (const { name } of commands) expect(stdout).to.include(name)
        for (const { flags } of options) {
          for (const flag of flags)
            expect(stdout).to.include(
              shell === 'fish' ? `${flag.startsWith('--') ? '-l ' : '-s '}${flag.replace(/^-+/, '')}` : flag,
            )
        }
      }
    })
  }

  it('refuses an unknown shell and names the known ones', async () => {
    const { status, stderr } = await lectern(['completion', 'tcsh'])
    expect(stderr).to.include('bash, zsh, fish')
    expect(status).to.equal(2)
  })
})
