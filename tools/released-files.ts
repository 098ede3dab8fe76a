import { execFileSync } from 'node:child_process'

/** What a release consists of beside the commit: the package, and the list of what is in it. */

const npm = (args: string[], folder: string): string =>
  execFileSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e8,
  })

/** Packs a folder that is built. @returns the name of the file in the destination, and its hash */
export const pack = (folder: string, destination: string): { filename: string; integrity: string } =>
  JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', destination], folder))[0]

/** `package.json` of a folder to install the package in. npm lists what a folder contains only if the folder has a name. */
export const INSTALLATION = '{ "name": "installation", "version": "1.0.0" }'

/**
 * The packages that are installed in a folder, in CycloneDX's format, as npm lists them. npm would leave out packages
 * of a folder with workspaces.
 */
export const listPackages = (folder: string): string => npm(['sbom', '--sbom-format', 'cyclonedx'], folder)
