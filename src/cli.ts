#!/usr/bin/env node
import { Command, Option } from 'commander'
import { UsageError } from './errors.ts'
import { packageVersion } from './paths.ts'

/** A command's function, loaded when it is called: help need not wait for a database driver. */
const command =
  <Name extends keyof typeof import('./commands.ts')>(name: Name) =>
  async (...given: unknown[]): Promise<void> => {
    const commands = await import('./commands.ts')
    await (commands[name] as (...given: unknown[]) => Promise<void>)(...given)
  }

const program = new Command('lectern')
  .description('A public, read-only HTTP API for any wiki.')
  .version(packageVersion())
  .addHelpText('after', '\nConfiguration is by environment variables; README.md lists them.')
  .showHelpAfterError('(lectern --help says more)')

program
  .command('serve')
  .description('serve the API; an empty embedded database gets the sample wiki first')
  .action(command('serveCommand'))

program
  .command('migrate')
  .description('set up the database of DATABASE_URL, or bring it up to date')
  .action(command('migrateCommand'))

const importing = program.command('import').description('put a wiki into the database')

importing
  .command('ndjson')
  .description('from a file in the interchange form, .ndjson or .ndjson.gz')
  .argument('<file>')
  .addHelpText('after', '\nExample:\n  lectern import ndjson tea-wiki.ndjson.gz')
  .action(command('importNdjson'))

importing
  .command('git')
  .description('from a git repository of Markdown, with its history')
  .argument('<repository>', 'a folder: a clone, bare or not')
  .addOption(
    new Option(
      '--layout <pattern...>',
      'where pages are; repeatable; {path} may hold slashes, @en fixes the language',
    ).default(['{path}.md']),
  )
  .option('--ref <ref>', 'branch, tag or commit', 'HEAD')
  .option('--locale <locale>', 'language of files whose layout names none', 'en')
  .option('--name <name>', 'name of the wiki; the folder name without it')
  .option('--license <url>', 'address of the license of the content')
  .addHelpText(
    'after',
    "\nExamples:\n  lectern import git ../docs\n  lectern import git ../site --layout 'pages/{locale}/{path}.md' --layout 'pages/{locale}/{path}.mdx'",
  )
  .action(command('importGit'))

importing
  .command('mediawiki')
  .description('from a dump of a MediaWiki (dumpBackup.php --full), its wikitext as Markdown')
  .argument('<file>', '.xml, .xml.gz or .xml.bz2')
  .addOption(
    new Option(
      '--namespace <name...>',
      'take these too, besides main, template, module and category; names or numbers',
    ).default([], 'none'),
  )
  .option('--no-redirects', 'leave redirects out; without it they are pages that link to their target')
  .option('--locale <locale>', 'language of the wiki; what the dump says without it')
  .option('--name <name>', 'name of the wiki; what the dump says without it')
  .option('--license <url>', 'address of the license of the content')
  .option('--add', 'one more language of the wiki that is there, whose name and license stay')
  .addHelpText(
    'after',
    '\nExamples:\n  lectern import mediawiki en.xml.bz2 --license https://creativecommons.org/licenses/by-sa/4.0/\n  lectern import mediawiki ru.xml.bz2 --add',
  )
  .action(command('importMediawiki'))

program
  .command('reindex')
  .description('index pages for search anew where that is due: after an upgrade, or when languages changed')
  .option('--all', 'every page')
  .action(command('reindexCommand'))

program
  .command('export')
  .description('write the whole wiki, hidden edits too, in the interchange form')
  .argument('<file>', '.ndjson, or .ndjson.gz to compress it')
  .action(command('exportCommand'))

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`lectern: ${error.message}\n`)
  process.exitCode = 1
}
