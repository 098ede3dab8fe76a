import { answerText, callText, cutText, type NextCall, roomFor } from './answer.ts'
import { ToolFailure } from './tool.ts'

interface TextOptions {
  /** Lines of the server above the text. */
  head: readonly string[]
  text: string
  /** What the head calls the text: `the text`, `the outline`. */
  name: string
  /** Where the answer begins in the text. */
  offset: number
  maxCharacters: number
  /** The call that returns what follows. */
  nextCall(offset: number): NextCall
  /** Lines of the server below the text, if the answer has only a part of it. */
  hints?: readonly string[]
}

/**
 * An answer with a text, or as much of it as fits.
 * @throws ToolFailure if the text ends before the offset
 */
export const textAnswer = ({
  head,
  text,
  name,
  offset,
  maxCharacters,
  nextCall,
  hints = [],
}: TextOptions): string => {
  const { length } = text
  if (offset > length) throw new ToolFailure(`offset: ${name} has ${length} characters.`)
  const frame = (end: number) => {
    const isPart = offset > 0 || end < length
    return {
      head: [
        ...head,
        length === 0 ? `${name} is empty` : `characters ${offset} to ${end} of ${length} of ${name}`,
      ],
      tail: [
        ...(end < length ? [`${name} goes on: call ${callText(nextCall(end))}`] : []),
        ...(isPart ? hints : []),
      ],
    }
  }
  // A smaller offset is not longer in the frame than this one.
  const room = roomFor(frame(Math.max(0, length - 1)), maxCharacters)
  const { part, end } = cutText(text, offset, room)
  return answerText({ ...frame(end), content: part })
}
