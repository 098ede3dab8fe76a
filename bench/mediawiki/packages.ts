import { accessSync, constants, readdirSync } from 'node:fs'

/** Where Debian's package puts MediaWiki's code. */
export const MEDIAWIKI = '/usr/share/mediawiki'

/** What the peer needs, by the packages that have it. */
export const PACKAGES =
  'mediawiki php-fpm php-mysql php-apcu php-intl php-mbstring php-xml mariadb-server-core mariadb-client-core nginx-light'

const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']

const isThere = (file: string): boolean => {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const programNamed = (pattern: RegExp): string | undefined =>
  FOLDERS.flatMap((folder) =>
    isThere(folder)
      ? readdirSync(folder)
          .filter((name) => pattern.test(name))
          .sort()
          .map((name) => `${folder}/${name}`)
      : [],
  ).at(-1)

/** Programs by their paths. */
export interface Programs {
  php: string
  phpFpm: string
  nginx: string
  mariadbd: string
  mariadbInstallDb: string
}

/** undefined: something is not installed. */
export const findPrograms = (): Programs | undefined => {
  const found = {
    php: programNamed(/^php[\d.]*$/),
    phpFpm: programNamed(/^php-fpm[\d.]+$/),
    nginx: programNamed(/^nginx$/),
    mariadbd: programNamed(/^mariadbd$/),
    mariadbInstallDb: programNamed(/^mariadb-install-db$/),
  }
  const whole = isThere(`${MEDIAWIKI}/rest.php`) && Object.values(found).every((file) => file !== undefined)
  return whole ? (found as Programs) : undefined
}
