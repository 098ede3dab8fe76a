import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** A terminal of its own (util-linux's script), in which a command runs. */
export interface Terminal {
  /** Types a text. */
  type(text: string): void
  /** What it has shown so far, with escape sequences. */
  shown(): string
  /** Resolves when what is shown matches. @throws Error when the command ends before */
  shows(pattern: RegExp): Promise<void>
  /** The exit status of the command. */
  ended: Promise<number | null>
  /** Ends the terminal, and the command that still runs in it. */
  close(): Promise<unknown>
}

/**
 * @param command for the shell
 * @param environment beside PATH and HOME
 */
export const openTerminal = (command: string, environment: Record<string, string> = {}): Terminal => {
  const { PATH, HOME } = process.env
  const child: ChildProcessWithoutNullStreams = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH, HOME, TERM: 'xterm', COLUMNS: '100', ...environment },
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    type: (text) => void child.stdin.write(text),
    shown: () => shown,
    shows: (pattern) =>
      new Promise<void>((resolve, reject) => {
        const look = () => pattern.test(shown) && resolve()
        child.stdout.on('data', look)
        look()
        void ended.then(() => reject(new Error(`ended without ${pattern}: ${shown}`)))
      }),
    ended,
    close: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}
