import { parseSourceLocale } from '../../../wiki/locales.ts'
import { parseConfig, textOf } from './config-values.ts'
import { type ContentSite, folderOf, resolveFolder } from './site.ts'
import type { RecognitionTree } from './tree.ts'

/** The front matter that Wiki.js writes into each file. */
const WIKIJS_FRONT_MATTER = /^---\r?\n(?=(?:[^\n]*\n){0,20}?editor: )(?=(?:[^\n]*\n){0,20}?dateCreated: )/

/** Wiki.js with git storage. Versions before 2.4 wrote shorter front matter, so not every sample must have it. */
export const wikijsSites = ({ samples }: RecognitionTree): ContentSite[] => {
  const count = samples.filter((text) => WIKIJS_FRONT_MATTER.test(text)).length
  if (count === 0 || count * 5 < samples.length) return []
  return [
    { tool: 'Wiki.js', evidence: 'front matter with editor and dateCreated', folders: [{ prefix: '' }] },
  ]
}

/** Vaults of Obsidian. */
export const obsidianSites = ({ markers }: RecognitionTree): ContentSite[] =>
  [...markers]
    .filter((name) => name.endsWith('.obsidian'))
    .map((evidence) => ({ tool: 'Obsidian', evidence, folders: [{ prefix: folderOf(evidence) }] }))

/** Gollum, which GitHub and GitLab use for the wikis of repositories. */
export const gollumSites = ({ markers }: RecognitionTree): ContentSite[] => {
  const [evidence] = [...markers]
    .filter((name) => /^(?:_(?:Sidebar|Footer|Header)|Home)\.[a-z]+$/.test(name))
    .sort((a, b) => Number(a.startsWith('_')) - Number(b.startsWith('_')))
  if (evidence === undefined) return []
  return [
    {
      tool: 'Gollum',
      evidence,
      folders: [{ prefix: '' }],
      indexNames: ['Home'],
      leftOut: /(?:^|\/)_(?:Sidebar|Footer|Header)\.\w+$/,
      hasOtherMarkups: true,
    },
  ]
}

/** GitBook without a configuration file: a table of contents in the top folder. */
export const summarySites = ({ markers }: RecognitionTree): ContentSite[] =>
  ['SUMMARY.md', 'LANGS.md']
    .filter((name) => markers.has(name))
    .slice(0, 1)
    .map((evidence) => ({
      tool: 'GitBook',
      evidence,
      folders: [{ prefix: '' }],
      hasReadmePages: true,
      leftOut: /(?:^|\/)(?:SUMMARY|LANGS)\.md$/,
    }))

/** Folders whose files Jekyll does not publish. */
const JEKYLL_PRIVATE = /(?:^|\/)_(?:layouts|includes|sass|data|drafts|site|plugins)\//

export const jekyllSites = ({ configs }: RecognitionTree): ContentSite[] =>
  [...configs]
    .filter(([file]) => /(?:^|\/)_config\.ya?ml$/.test(file))
    .flatMap(([evidence, text]) => {
      const values = parseConfig(evidence, text)
      const prefix = resolveFolder(folderOf(evidence), textOf(values.source) ?? '')
      const locale = parseSourceLocale(textOf(values.lang) ?? textOf(values.locale) ?? '') ?? undefined
      return prefix === null
        ? []
        : [
            {
              tool: 'Jekyll',
              evidence,
              folders: [{ prefix }],
              defaultLocale: locale,
              hasReadmePages: true,
              leftOut: JEKYLL_PRIVATE,
            },
          ]
    })
