import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { openDokuwikiSource } from '@lectern/import-dokuwiki/source'
import { fileCandidates, fileReferences } from '@lectern/wiki/files/references'
import { expect } from 'chai'
import {
  convertDokuwiki,
  type DokuwikiFiles,
  OPEN_CONFIGURATION,
  withDokuwiki,
} from '../../../test/support/dokuwiki.ts'

const PAGE: DokuwikiFiles = { 'data/pages/start.txt': '{{tea:cup.png}}' }

const mediaOf = (files: DokuwikiFiles, links: Record<string, string> = {}) =>
  withDokuwiki({ ...PAGE, ...files }, async (folder) => {
    for (const [name, target] of Object.entries(links)) await symlink(target, join(folder, name))
    const source = await openDokuwikiSource(folder, {})
    for await (const _ of source.records);
    const found: Record<string, string> = {}
    for await (const { path, open } of source.files!().list()) {
      const chunks: Buffer[] = []
      for await (const chunk of open()) chunks.push(chunk)
      found[path] = Buffer.concat(chunks).toString()
    }
    return { found, notes: source.notes().join('\n') }
  })

describe('media files of a DokuWiki', () => {
  it('have the namespaces as folders; those with names that DokuWiki never opens, and links, are left out', async () => {
    const { found } = await mediaOf(
      {
        ...OPEN_CONFIGURATION,
        'data/media/cup.png': 'a cup',
        'data/media/tea/gr%C3%BCn.png': 'green',
        'data/media/tea/Pot.png': 'a pot',
      },
      { 'data/media/link.png': 'cup.png' },
    )
    expect(found).to.deep.equal({ 'cup.png': 'a cup', 'tea/grün.png': 'green' })
  })

  it('are those that the access control list lets guests see: it has rules for namespaces', async () => {
    const { found, notes } = await mediaOf({
      'conf/dokuwiki.php': "<?php\n$conf['useacl'] = 1;\n",
      'conf/acl.auth.php': '* @ALL 1\nsecret:* @ALL 0\nsecret:open:* @ALL 1\nsecret:cup.png @ALL 8\n',
      'data/media/cup.png': 'a cup',
      'data/media/secret/cup.png': 'secret',
      'data/media/secret/deep/cup.png': 'secret',
      'data/media/secret/open/cup.png': 'open',
    })
    expect(found).to.deep.equal({ 'cup.png': 'a cup', 'secret/open/cup.png': 'open' })
    expect(notes).to.include('does not let guests see them: 2, first secret:cup.png, secret:deep:cup.png')
  })

  for (const rewriting of [0, 1, 2] as const) {
    it(`are what the addresses in texts mean, as the wiki writes them (${rewriting})`, () => {
      const { markdown } = convertDokuwiki('{{.:cup.png?200|A cup}} {{:big_pot.pdf}}', { rewriting })
      const references = fileReferences(markdown)
      const page = { path: 'tea/green', sourcePath: null, roots: [''] }
      expect(references.flatMap((reference) => fileCandidates(reference, page).paths)).to.deep.equal([
        'tea/cup.png',
        'big_pot.pdf',
      ])
    })
  }
})
