import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packagePath } from '../../../src/paths.ts'

/**
 * Runs a program of the system in a folder of `projects/`.
 * @returns what it printed
 * @throws Error that names the program and its package where it is not there; else with what it printed
 */
export const runProgram = async (
  project: string,
  program: string,
  values: string[],
  environment: Record<string, string> = {},
): Promise<string> => {
  const cwd = join(packagePath('test', 'clients'), 'projects', project)
  const env = { ...process.env, ...environment }
  try {
    return (await promisify(execFile)(program, values, { cwd, env })).stdout
  } catch (error) {
    const { code, message, stdout = '', stderr = '' } = error as Error & Record<string, string>
    if (code === 'ENOENT')
      throw new Error(`The program ${program} is not there: install it (on Debian, the package ${program}).`)
    throw new Error(`${message}\n${stdout}${stderr}`)
  }
}
