import { Argument, type Command } from 'commander'
import { SHELLS, type Shell, scriptOf } from './completion/script.ts'

export const declareCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  echo 'source <(lectern completion bash)' >> ~/.bashrc
  lectern completion zsh > ~/.zfunc/_lectern       (requires ~/.zfunc in $fpath)
  lectern completion fish > ~/.config/fish/completions/lectern.fish`,
    )
    .action((shell: Shell) => {
      process.stdout.write(scriptOf(program, shell))
    })
}
