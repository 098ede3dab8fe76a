import { join } from 'node:path'
import { readSmallFile } from './small-file.ts'

/** Later files override earlier ones. */
const FILES = ['interwiki.conf', 'interwiki.local.conf']

/** URLs by shortcut, in lower case, from lines such as `wp https://en.wikipedia.org/wiki/{NAME}`. */
export const readInterwiki = async (folders: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const urls = new Map<string, string>()
  for (const folder of folders) {
    for (const name of FILES) {
      for (const line of ((await readSmallFile(join(folder, name))) ?? '').split('\n')) {
        const [shortcut, url] = line
          .replace(/(?<!&)#.*$/, '')
          .trim()
          .split(/\s+/)
        if (shortcut && url) urls.set(shortcut.toLowerCase(), url.replaceAll('&amp;', '&'))
      }
    }
  }
  return urls
}
