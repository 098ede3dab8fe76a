import { randomBytes } from 'node:crypto'
import { apiMessage, pageOfUrl, relatedUrl, suggestedPath, type WikiAnswer } from './wiki-api.ts'

/** The parts of an answer. */
interface AnswerParts {
  /** Lines of the server before the content. */
  head: readonly string[]
  /** Text of the wiki's authors. Empty: there is none. */
  content: string
  /** Lines of the server after the content: what the agent can call next. */
  tail: readonly string[]
}

/**
 * An answer as text. What authors of the wiki wrote stands between two tags with a random id, so that no page can
 * contain the end of its own frame.
 */
export const answerText = ({ head, content, tail }: AnswerParts): string => {
  const id = randomBytes(6).toString('hex')
  const framed = content === '' ? '' : `<wiki-content id="${id}">\n${content}\n</wiki-content id="${id}">`
  return [head.join('\n'), framed, tail.join('\n')].filter((part) => part !== '').join('\n\n')
}

/** How many characters of content an answer has room for. @param most characters of the whole answer */
export const roomFor = (parts: Omit<AnswerParts, 'content'>, most: number): number =>
  Math.max(CONTENT_LEAST, most - answerText({ ...parts, content: ' ' }).length + 1)

/** So that a call always goes on, whatever the title and the path are. */
const CONTENT_LEAST = 500

/** A call of a tool as an agent can repeat it. */
export interface NextCall {
  tool: string
  arguments: Record<string, unknown>
}

/** A call as the text of an answer names it. */
export const callText = ({ tool, arguments: values }: NextCall): string => `${tool} ${JSON.stringify(values)}`

/**
 * A text on one line, without control characters, and with at most `most` characters. `…` marks a cut.
 * @param more says where the whole text is
 */
export const oneLine = (text: string, most = TITLE_CHARACTERS, more = ''): string => {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  if (line.length <= most) return line
  return `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…${more}`
}

const TITLE_CHARACTERS = 200

/**
 * What an agent can do if a page does not exist: call the tool again with the new path of the page if it moved, or with
 * a similar path that the API knows, or else search for it.
 */
export const missingPageMessage =
  (tool: string, { path, locale }: { path: string; locale?: string | undefined }) =>
  (answer: WikiAnswer): string => {
    const message = apiMessage(answer)
    const place = locale === undefined ? '' : ` in ${locale}`
    const elsewhere = ELSEWHERE.exec(message)?.[1] ?? ''
    const page = `There is no page with the path ${JSON.stringify(path)}${place}.${elsewhere}`
    const moved = pageOfUrl(relatedUrl(answer, 'successor-version'))
    if (moved !== undefined) return `${page} It moved: call ${callText({ tool, arguments: moved })}`
    const similar = suggestedPath(answer)
    if (similar) return `${page} Did you mean ${callText({ tool, arguments: { path: similar, locale } })}?`
    const words = path.replace(/^.*:/, '').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
    const query = words.join(' ').slice(0, QUERY_CHARACTERS) || path
    return `${page} To find its path, call ${callText({ tool: 'search', arguments: { query, locale } })}`
  }

const QUERY_CHARACTERS = 200

/** The languages that have the path, at the beginning of a message of the API. After it, authors choose the text. */
const ELSEWHERE =
  /^There is no such page in this language \(\S+\)\.( It exists with locale=[\w-]+(, [\w-]+)*\.)/

/**
 * The part of a text from `offset`: at most `most` characters, up to the end of a line if there is one in its last
 * quarter. It splits no character.
 */
export const cutText = (text: string, offset: number, most: number): { part: string; end: number } => {
  const start = isInsidePair(text, offset) ? offset - 1 : offset
  let end = Math.min(text.length, start + most)
  if (end < text.length) {
    const lineEnd = text.lastIndexOf('\n', end - 1) + 1
    if (lineEnd > start + most * 0.75) end = lineEnd
    else if (isInsidePair(text, end)) end -= 1
  }
  return { part: text.slice(start, end), end }
}

/** Whether a position is inside a character that has two units in UTF-16. */
const isInsidePair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff
