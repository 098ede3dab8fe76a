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
    const once = 'eval "$1"; eval "$1"; complete -p lectern'
    const text = execFileSync('bash', ['--norc', '-uc', once, 'x', script], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect(text).to.equal('complete -F _lectern lectern\n')
  })

  it('completes the names of commands', () => {
    expect(complete([''])).to.include.members(['serve', 'import', 'export', 'check', 'completion', '--help'])
    expect(complete(['se'])).to.deep.equal(['serve'])
    expect(complete(['import', ''])).to.include.members(['ndjson', 'git', 'mediawiki'])
    expect(complete(['import', 'me'])).to.deep.equal(['mediawiki'])
  })

  it('completes the options of the current command', () => {
    const options = ['--public', '--gzip', '--help', '--env-file', '--config']
    expect(complete(['export', '--'])).to.have.members(options)
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
      const both = ['serve', 'follow', 'import mediawiki', 'export', 'serve --env-file', 'check --config']
      for (const command of both)
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
    it(`the script has every command and option: ${shell}`, () => {
      const program = makeProgram()
      const script = completionScript(program, shell)
      for (const { commands, options } of completionSlots(program)) {
        for (const { name } of commands) expect(script).to.include(name)
        for (const flag of options.flatMap(({ flags }) => flags)) {
          const inFish = `${flag.startsWith('--') ? '-l ' : '-s '}${flag.replace(/^-+/, '')}`
          expect(script).to.include(shell === 'fish' ? inFish : flag)
        }
      }
    })
  }

  it('prints the script', async () => {
    const stdout = completionScript(makeProgram(), 'zsh')
    expect(await lectern(['completion', 'zsh'])).to.include({ status: 0, stderr: '', stdout })
  })

  it('refuses an unknown shell and names the known ones', async () => {
    const { status, stderr } = await lectern(['completion', 'tcsh'])
    expect(stderr).to.include('bash, zsh, fish')
    expect(status).to.equal(2)
  })
})
