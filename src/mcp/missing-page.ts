import { callText } from './answer.ts'
import { relatedUrl, type WikiAnswer } from './wiki-reader.ts'

/**
 * What an agent can do if a page does not exist: call the tool again with the new path of the page if it moved, or
 * else search for it.
 */
export const missingPageMessage =
  (tool: string, { path, locale }: { path: string; locale?: string }) =>
  (answer: WikiAnswer): string => {
    const page = `There is no page with the path ${JSON.stringify(path)}${locale === undefined ? '' : ` in ${locale}`}.`
    const moved = movedTo(answer)
    if (moved !== undefined) return `${page} It moved: call ${callText({ tool, arguments: moved })}`
    const query = path
      .replace(/^.*:/, '')
      .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
      .trim()
      .slice(0, QUERY_CHARACTERS)
    const call = callText({ tool: 'search', arguments: { query: query || path, ...(locale && { locale }) } })
    return `${page} To find its path, call ${call}`
  }

const QUERY_CHARACTERS = 200

const movedTo = (answer: WikiAnswer): { path: string; locale?: string } | undefined => {
  const target = relatedUrl(answer, 'successor-version')
  if (target === undefined || !URL.canParse(target)) return undefined
  const { pathname, searchParams } = new URL(target)
  const encoded = /\/pages\/(.+)$/.exec(pathname)?.[1]
  if (encoded === undefined) return undefined
  const locale = searchParams.get('locale')
  try {
    return { path: decodeURIComponent(encoded), ...(locale === null ? {} : { locale }) }
  } catch {
    return undefined
  }
}
