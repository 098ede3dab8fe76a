import { type Command, Option } from 'commander'
import { UsageError } from '../errors.ts'
import { quote } from '../wiki/text.ts'
import type { NamedSource } from '../write/imported-content.ts'

export interface SourceCommandOptions {
  source: string
  keepMissing?: boolean
  adopt?: boolean
  yes?: boolean
}

const SOURCE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,49}$/u

/** Adds the options that say what an import does with content that its source no longer has. */
export const addSourceOptions = (command: Command): Command =>
  command
    .option('--source <name>', 'name of this source in the database, if the database has several', 'main')
    .option('--keep-missing', 'keep pages and edits that the source no longer has')
    .option('--adopt', 'also remove pages that were imported before sources had names')
    .option('--yes', 'remove them even if they are more than half')

/** The option of sources of files: a git repository, or a folder. */
export const layoutOption = (): Option =>
  new Option(
    '--layout <pattern...>',
    'paths of the pages, repeatable; {path} can contain slashes, and @en at the end sets the language (default: recognized from the files)',
  )

/** @throws UsageError if the name is not a word */
export const toNamedSource = ({ source, keepMissing, adopt, yes }: SourceCommandOptions): NamedSource => {
  if (!SOURCE_NAME.test(source))
    throw new UsageError(
      `${quote(source)} is not a name of a source. Use at most 50 letters, digits, dots, hyphens and underscores, such as docs.`,
    )
  return { name: source, keepMissing, adopt, isConfirmed: yes }
}
