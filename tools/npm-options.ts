import { makeProgram } from '../src/commands/program.ts'

/** Before `npm start`: refuses options of Lectern that npm took as its own, because a page that they exclude would be public. */

/** npm sets them itself: with its own `--prefix`, it finds no package. */
const OF_NPM = ['--yes', '--prefix']

const { options } = makeProgram().commands.find((command) => command.name() === 'serve')!
const kept = options.filter(
  ({ long }) =>
    !OF_NPM.includes(long!) &&
    `npm_config_${long!.replace(/^--(?:no-)?/, '').replaceAll('-', '_')}` in process.env,
)
if (kept.length > 0) {
  const names = kept.map(({ long }) => long).join(', ')
  process.stderr.write(
    `lectern: npm has kept ${names} for itself. Write -- before the source: npm start -- SOURCE ${kept[0]!.long} …\n`,
  )
  process.exitCode = 2
}
