/** The id of a heading in rendered Markdown. @see GitHub's slugs, which marked's plugin creates */
export const headingIdOf = (text: string): string =>
  text
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
