import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect } from 'chai'
import { packagePath } from '../../src/paths.ts'
import { CLI } from '../support/cli.ts'
import { openTerminal, type Terminal } from './support/terminal.ts'

/** Files of a user's home, which give the shell a known prompt, and what docs/cli.md asks of them. */
const HOMES: Record<string, Record<string, string>> = {
  bash: { '.bashrc': "PS1='ready> '\n" },
  zsh: { '.zshrc': "PS1='ready> '\nfpath=(~/.zfunc $fpath)\nautoload -Uz compinit\ncompinit\n" },
  fish: { '.config/fish/config.fish': "function fish_prompt; echo 'ready> '; end\n" },
}

/** The command that docs/cli.md has for a shell. */
const documented = (shell: string): string => {
  const row = new RegExp(`^\\| ${shell}(?:, every new session)? \\| \`([^\`]+)\``, 'm')
  const found = readFileSync(packagePath('docs', 'cli.md'), 'utf8').match(row)
  return found![1]!
}

describe('completion in an interactive shell, set up as docs/cli.md says', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'lectern-shell-'))
    mkdirSync(join(home, 'bin'))
  })
  let terminal: Terminal | undefined
  afterEach(async () => {
    await terminal?.close()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })

  for (const [shell, files] of Object.entries(HOMES)) {
    it(`${shell}: Tab completes commands, options, their values, files and folders`, async () => {
      const environment = {
        HOME: home,
        PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
        XDG_CONFIG_HOME: join(home, '.config'),
        ZDOTDIR: home,
      }
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(home, name, '..'), { recursive: true })
        writeFileSync(join(home, name), text)
      }
      writeFileSync(join(home, 'teawiki.ndjson'), '')
      mkdirSync(join(home, 'notes'))
      const program = join(home, 'bin', 'lectern')
      symlinkSync(CLI, program)
      execFileSync(shell, ['-c', documented(shell)], { env: environment, stdio: 'pipe' })

      terminal = openTerminal(`cd ~ && exec ${shell} -i`, environment)
      await terminal.shows(/ready> /)
      // From now on, the program shows its arguments, unless a script asks it.
      unlinkSync(program)
      const show = `[ "$1" = __complete ] && exec '${CLI}' "$@"\nprintf '<%s>' "$@"\necho\n`
      writeFileSync(program, `#!/bin/sh\n${show}`, { mode: 0o755 })
      const lines = [
        ['lectern imp\tgi\t--lay\tx\r', '<import><git><--layout><x>'],
        ['lectern completion z\t\r', '<completion><zsh>'],
        ['lectern import ndjson teaw\t\r', '<import><ndjson><teawiki.ndjson>'],
        ['lectern import folder no\t\r', '<import><folder><notes/?>'],
        ['lectern serve --config teaw\t no\t\r', '<serve><--config><teawiki.ndjson><notes/?>'],
      ]
      for (const [typed, expected] of lines) {
        terminal.type(typed!)
        await terminal.shows(new RegExp(expected!))
      }
      terminal.type('exit\r')
      expect(await terminal.ended).to.equal(0)
    })
  }
})
