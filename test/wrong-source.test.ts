import { extensionsText } from '@lectern/import-files/files/layouts'
import { expect } from 'chai'
import { connectorOf } from '../src/import/connectors.ts'
import { refuseWrongSource } from '../src/import/source-kind.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'

describe('a location that is not what an import needs', () => {
  const folder = withTemporaryFolder()
  const refusal = (location: string) =>
    refuseWrongSource(location).then(
      () => null,
      ({ message }: Error) => message,
    )

  it('is named by what it is, with what to do: archives, HTML, databases', async () => {
    for (const [content, expected] of [
      ['PK\u0003\u0004rest', /is an archive\. Unpack it/],
      [`${'x'.repeat(257)}ustar`, /is an archive\. Unpack it/],
      ['\n<!DOCTYPE html><html>', /is an HTML page/],
      ['%PDF-1.7', /is a PDF/],
      ['SQLite format 3\u0000', /is an SQLite database/],
      ['', /is empty/],
    ] as const)
      expect(await refusal(folder.write('file', content))).to.match(expected)
  })

  it('is named by the command that imports it, if it is a URL', async () => {
    for (const url of [
      'https://wiki.example/tea.wiki.git',
      'git@wiki.example:tea.git',
      'ssh://wiki.example/tea',
    ])
      expect(await refusal(url)).to.include(`Use \`lectern import git ${url}\``)
    expect(await refusal('https://wiki.example/dump.ndjson')).to.include('`lectern serve URL` recognizes')
    expect(await refusal('https://ada:s3cr3t@wiki.example/tea.git')).not.to.include('s3cr3t')
  })

  it('is accepted if it may be a source: NDJSON, XML, a bundle, a folder, nothing at all', async () => {
    for (const content of ['{"type":"wiki"}', '<mediawiki>', '# v2 git bundle'])
      expect(await refusal(folder.write('file', content))).to.equal(null)
    expect(await refusal(folder.path())).to.equal(null)
    expect(await refusal(folder.path('none'))).to.equal(null)
  })

  it('is refused if it is a folder with the database in it, unless that is hidden', async () => {
    const options = { layouts: [], namespaces: [], redirects: true }
    const versionWith = (dataDir: string) =>
      connectorOf('folder', folder.path(), { ...options, sourcesFolder: folder.path(`${dataDir}/sources`) })
        .version()
        .catch(({ message }: Error) => message)
    expect(await versionWith('a/db')).to.include(`DATA_DIR must be outside of ${folder.path()}`)
    for (const name of ['../db', '.lectern', 'a/.db'])
      expect(await versionWith(name)).to.match(/^[0-9a-f]{64}$/)
  })

  it('lists the extensions that a source has instead of Markdown, the most frequent first', () => {
    expect(extensionsText(['a.rst', 'b/c.RST', 'Makefile', 'd.e/f', '.gitignore', 'g.c'])).to.equal(
      'no extension (3), .rst (2), .c (1)',
    )
  })
})
