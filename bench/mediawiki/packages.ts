import { accessSync, constants, readdirSync } from 'node:fs'

/** The folder of MediaWiki's code in Debian's package. */
export const MEDIAWIKI_FOLDER = '/usr/share/mediawiki'

/** The Debian packages that the peer needs. */
export const MEDIAWIKI_PACKAGES =
  'mediawiki php-fpm php-mysql php-apcu php-intl php-mbstring php-xml mariadb-server-core mariadb-client-core nginx-light'

const PROGRAM_FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']

const isReadable = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const findProgram = (pattern: RegExp): string | undefined =>
  PROGRAM_FOLDERS.flatMap((folder) =>
    isReadable(folder)
      ? readdirSync(folder)
          .filter((name) => pattern.test(name))
          .sort()
          .map((name) => `${folder}/${name}`)
      : [],
  ).at(-1)

/** Paths of the programs that the peer runs. */
export interface Programs {
  php: string
  phpFpm: string
  nginx: string
  mariadbd: string
  mariadbInstallDb: string
}

/** @returns undefined if a program or MediaWiki itself is not installed */
export const findPrograms = (): Programs | undefined => {
  const programs = {
    php: findProgram(/^php[\d.]*$/),
    phpFpm: findProgram(/^php-fpm[\d.]+$/),
    nginx: findProgram(/^nginx$/),
    mariadbd: findProgram(/^mariadbd$/),
    mariadbInstallDb: findProgram(/^mariadb-install-db$/),
  }
  const isComplete =
    isReadable(`${MEDIAWIKI_FOLDER}/rest.php`) && Object.values(programs).every((file) => file !== undefined)
  return isComplete ? (programs as Programs) : undefined
}
