import { z } from 'zod'
import { FIELD_BYTES_MAX } from '../limits.ts'
import { MCP_ANSWER_CHARACTERS } from './limits.ts'

/** Arguments that several tools take. */

export const pathArgument = z
  .string()
  .min(1)
  .max(FIELD_BYTES_MAX.path)
  .meta({
    description: 'Path of the page as search and lists return it. It is neither a title nor a URL.',
    examples: ['green-tea', 'category:teas'],
  })

export const localeArgument = z
  .string()
  .min(2)
  .max(35)
  .optional()
  .meta({ description: 'Language of the content. Default: the main language of the wiki.', examples: ['en'] })

export const maxCharactersArgument = z
  .int()
  .min(MCP_ANSWER_CHARACTERS.least)
  .max(MCP_ANSWER_CHARACTERS.most)
  .default(MCP_ANSWER_CHARACTERS.default)
  .meta({
    description:
      'The most characters that the answer may have. A longer answer is cut, and says how to go on.',
  })

/** How many items a list returns. */
export const limitArgument = ({ max, default: standard }: { max: number; default: number }) =>
  z.int().min(1).max(max).default(standard).meta({ description: 'The most items to return.' })

/** @param tool whose answers contain the value */
export const cursorArgument = (description: string) =>
  z
    .string()
    .max(2048)
    .optional()
    .meta({ description: `${description} Copy it from the previous answer.` })
