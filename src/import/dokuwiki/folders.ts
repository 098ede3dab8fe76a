import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import { quote } from '../../wiki/text.ts'
import { refuseWrongSource } from '../wrong-source.ts'
import { readSmallFile } from './small-file.ts'

/** Folders of a DokuWiki. */
export interface DokuwikiFolders {
  /** The installation, in which relative folders of the configuration are; null if only the data was given. */
  installation: string | null
  /** Folders of the configuration, the most important last; empty if there is none. */
  configuration: string[]
  /** The folder of the data, if it was given or is in the installation. */
  data: string | null
}

/** Where Debian and others keep the configuration. */
const SYSTEM_CONFIGURATION = '/etc/dokuwiki'

/**
 * Finds the configuration and the data of a DokuWiki.
 * @param folder an installation, or its folder `data`
 * @param configuration the folder that the user has set
 * @throws UsageError if the folder is neither
 */
export const findFolders = async (folder: string, configuration?: string): Promise<DokuwikiFolders> => {
  await refuseWrongSource(folder)
  const root = resolve(folder)
  if (!(await isFolder(root)))
    throw new UsageError(`${quote(folder)} is not a folder. Specify the folder of a DokuWiki.`)
  if (configuration !== undefined && !(await isFolder(configuration)))
    throw new UsageError(
      `${quote(configuration)} is not a folder. Set --conf to the folder that contains local.php.`,
    )
  const isData = await isFolder(join(root, 'pages'))
  const installation = isData ? null : root
  const found = configuration === undefined ? await findConfiguration(root, isData) : resolve(configuration)
  const data = isData ? root : (await isFolder(join(root, 'data', 'pages'))) ? join(root, 'data') : null
  if (data === null && found === null)
    throw new UsageError(
      `${quote(folder)} is not a DokuWiki. Specify its folder with "conf" and "data", or its folder "data" with "pages".`,
    )
  return { installation, configuration: found === null ? [] : [found], data }
}

const findConfiguration = async (root: string, isData: boolean): Promise<string | null> => {
  for (const folder of isData ? [root, dirname(root)] : [root])
    if (await isFolder(join(folder, 'conf'))) return join(folder, 'conf')
  const preload = isData ? null : await readSmallFile(join(root, 'inc', 'preload.php'))
  const defined =
    preload === null
      ? null
      : /define\(\s{0,9}'DOKU_(?:MAIN_)?CONF'\s{0,9},\s{0,9}'([^']{1,1000})'/.exec(preload)
  if (defined && (await isFolder(defined[1]!))) return defined[1]!
  const usesSystem = isData && root.startsWith('/var/lib/dokuwiki')
  return usesSystem && (await isFolder(SYSTEM_CONFIGURATION)) ? SYSTEM_CONFIGURATION : null
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false
