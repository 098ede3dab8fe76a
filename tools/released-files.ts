import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'

/** What a release consists of beside the commit: the package, and the list of what is in it. */

const npm = (args: string[], folder: string, options: ExecFileSyncOptions = {}): string =>
  execFileSync('npm', args, {
    ...options,
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e8,
  })

/** Packs a folder that is built. @returns the name of the file in the destination, and its hash */
export const pack = (folder: string, destination: string): { filename: string; integrity: string } =>
  JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', destination], folder))[0]

/** Installs a packed file in a folder of its own. @param options who does it */
export const installPackage = (
  file: string,
  folder: string,
  options: Pick<ExecFileSyncOptions, 'uid' | 'gid' | 'env'> = {},
): void => {
  // npm lists what a folder contains only if the folder has a name. It changes this file, so its user writes it.
  const content = '{ "name": "installation", "version": "1.0.0" }'
  execFileSync('tee', ['package.json'], {
    ...options,
    cwd: folder,
    input: content,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  npm(['install', '--no-audit', '--no-fund', file], folder, options)
}

/**
 * The packages that are installed in a folder, in CycloneDX's format, as npm lists them. npm would leave out packages
 * of a folder with workspaces.
 */
export const listPackages = (folder: string): string => npm(['sbom', '--sbom-format', 'cyclonedx'], folder)
