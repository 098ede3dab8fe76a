/** URLs of the licenses that DokuWiki knows by a short name. @see conf/license.php in DokuWiki */
const LICENSES: Record<string, string> = {
  'cc-zero': 'https://creativecommons.org/publicdomain/zero/1.0/',
  publicdomain: 'https://creativecommons.org/publicdomain/mark/1.0/',
  'cc-by': 'https://creativecommons.org/licenses/by/4.0/',
  'cc-by-sa': 'https://creativecommons.org/licenses/by-sa/4.0/',
  gnufdl: 'https://www.gnu.org/licenses/fdl-1.3.html',
  'cc-by-nc': 'https://creativecommons.org/licenses/by-nc/4.0/',
  'cc-by-nc-sa': 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
}

/** @returns undefined for a name that is not known */
export const licenseUrl = (name: string | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(LICENSES, name) ? LICENSES[name] : undefined
