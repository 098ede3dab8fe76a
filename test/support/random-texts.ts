import type { RandomChoices } from './random-choices.ts'

/** Names of pages of random wikis. Links by name can mean several of them. */
export const PAGE_PATHS = ['tea', 'a/tea', 'mate', 'b/Green-Tea', 'a/b/cup', 'pot', 'b/pot', 'hidden/Place']
/** Names that only pages have that guests never see. */
export const SECRET_PATHS = ['hr/Layoffs-in-May', 'secret/Place', 'x/cup', 'x/Green-Tea', 'plans/Budget']
/** What links name, and what it is not to become. */
export const LINK_NAMES = [
  'tea',
  'Green Tea',
  'cup',
  'Pot',
  'a/tea',
  'Layoffs in May',
  'Place',
  'Budget',
  'Alias',
  'Title 1',
]
export const CATEGORY_KEYS = ['drinks', 'cups', 'secret-key']
export const WORDS = ['tea', 'steam', 'Layoffs', 'Budget', 'Place', 'Alias', 'Title', 'confidential']

/** A text with links by name, with URLs and with relative ones. */
export const randomText = ({ below, pick }: RandomChoices): string =>
  Array.from({ length: 1 + below(4) }, () =>
    pick([
      () => `See [[${pick(LINK_NAMES)}]].`,
      () => `See [[${pick(LINK_NAMES)}#Heading]] and ![[${pick(LINK_NAMES)}]].`,
      () => `A [link](/en/${pick(PAGE_PATHS)}) to steam.`,
      () => `## Heading ${below(3)}\n\nWater.`,
      () => `\`[[${pick(LINK_NAMES)}]]\` is code.`,
    ])(),
  ).join('\n\n')
