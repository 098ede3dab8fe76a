/**
 * The changelog with its part "Unreleased" as a version, and a new, empty part. (https://keepachangelog.com)
 * @param date such as `2026-11-23`
 * @throws Error if there is no such part, or nothing in it
 */
export const releasedChangelog = (text: string, version: string, date: string): string => {
  const heading = '## Unreleased\n'
  const [before, after] = text.split(heading)
  if (before === undefined || after === undefined) throw new Error('CHANGELOG.md has no part "Unreleased".')
  if (!/^- /m.test(after.split(/^## /m)[0]!))
    throw new Error('The part "Unreleased" of CHANGELOG.md is empty.')
  return `${before}${heading}\n## ${version} - ${date}\n${after}`
}
