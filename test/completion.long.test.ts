import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import type { Command } from 'commander'
import { completionsOf } from '../src/commands/completion.ts'
import { makeProgram } from '../src/commands/program.ts'
import { CLI, lectern } from './support/cli.ts'

/** The completions of the last word in bash, with the script that `lectern completion bash` prints. */
const complete = (words: string[], folder = tmpdir()): string[] => {
  const bin = mkdtempSync(join(tmpdir(), 'lectern-completion-bin-'))
  symlinkSync(CLI, join(bin, 'lectern'))
  // As a session does that reads its settings twice.
  const script = `loaded="$(lectern completion bash)"; eval "$loaded"; eval "$loaded"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lectern; printf '%s\\n' "\${COMPREPLY[@]}"`
  try {
    const found = execFileSync('bash', ['--norc', '-uc', script, 'bash', 'lectern', ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) },
    })
    return found.split('\n').filter((line) => line !== '')
  } finally {
    rmSync(bin, { recursive: true })
  }
}

describe('completion: bash', () => {
  it('completes files and folders, also with spaces in their names, and executes nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-completion-'))
    try {
      writeFileSync(join(folder, 'tea wiki.ndjson'), '')
      mkdirSync(join(folder, 'tea docs'))
      expect(complete(['import', 'ndjson', 'te'], folder)).to.have.members(['tea wiki.ndjson', 'tea docs'])
      expect(complete(['import', 'folder', 'te'], folder)).to.deep.equal(['tea docs'])
      expect(complete(['serve', '--env-file', 'te'], folder)).to.have.length(2)
      expect(complete(['import', 'ndjson', '$(touch ran)', ''], folder)).not.to.include('ran')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('lectern completion', () => {
  it('knows every command and option that the help shows, with their descriptions', () => {
    const program = makeProgram()
    const check = (command: Command, path: string[]) => {
      const lines = completionsOf(program, path).join('')
      const help = command.createHelp()
      for (const sub of help.visibleCommands(command)) {
        expect(lines).to.include(`${sub.name()}\t${sub.description()}\n`)
        check(sub, [...path, sub.name()])
      }
      for (const { short, long, description } of help.visibleOptions(command))
        for (const flag of [short, long])
          if (flag != null) expect(lines).to.include(`${flag}\t${description}\n`)
    }
    check(program, [])
  })

  it('refuses an unknown shell and names the known ones', async () => {
    const { status, stderr } = await lectern(['completion', 'tcsh'])
    expect(stderr).to.include('bash, zsh, fish')
    expect(status).to.equal(2)
  })
})
