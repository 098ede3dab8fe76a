import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { packagePath } from '../../../src/paths.ts'

/** The folder of the Python client's package, which a program finds through PYTHONPATH. */
export const PYTHON_ENVIRONMENT = {
  PYTHONPATH: packagePath('clients', 'python', 'src'),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONIOENCODING: 'utf-8',
}

/** A Python that has httpx: Debian's package brings it to Debian's Python, which is not always the first one. */
export const pythonWithHttpx = (): string => {
  const found = ['python3', '/usr/bin/python3'].find((python) => {
    try {
      execFileSync(python, ['-c', 'import httpx'], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
  if (!found) throw new Error('No Python has httpx: install it (on Debian, the package python3-httpx).')
  return found
}

/** Starts a program of `projects/python-mirror`. */
export const startPython = (program: string, ...values: string[]): ChildProcess => start(program, values, {})

const start = (program: string, values: string[], environment: NodeJS.ProcessEnv): ChildProcess =>
  spawn(
    pythonWithHttpx(),
    [join(packagePath('test', 'clients', 'projects', 'python-mirror'), program), ...values],
    {
      env: { ...process.env, ...PYTHON_ENVIRONMENT, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )

/** Runs such a program to its end. @returns the lines of JSON that it printed */
export const runPython = async (
  program: string,
  values: string[],
  input = '',
  environment: NodeJS.ProcessEnv = {},
): Promise<unknown[]> => {
  const child = start(program, values, environment)
  let output = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stdin!.end(input)
  const status = await new Promise((resolve) => child.on('close', resolve))
  if (status !== 0) throw new Error(`${program} ended with status ${status}: ${output}`)
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
