import type { PageQueryVariables } from '../../src/generated/queries.ts'

/** Variables of the stored query `page` for a page as Markdown. */
export const pageVariables = (locale: string, path: string): PageQueryVariables => ({
  locale,
  path,
  section: '',
  isSection: false,
  markdown: true,
  html: false,
  text: false,
  summary: false,
  sections: false,
  properties: false,
  links: false,
  contributors: false,
  files: false,
})
