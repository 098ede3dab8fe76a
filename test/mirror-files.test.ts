import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { fileInFolder } from '../clients/javascript/src/file-names.ts'
import { mirrorFolder } from '../clients/javascript/src/folder.ts'
import { type FileSpec, importFiles, makeWorldWithFiles, png, sha256 } from './support/files.ts'
import { filesIn } from './support/mirror-process.ts'
import { withService } from './support/service.ts'
import { withTemporaryFolder } from './support/temporary-folder.ts'
import type { PageSpec } from './support/world.ts'

const page = (path: string, markdown: string, more: Partial<PageSpec> = {}): PageSpec => ({
  path,
  revisions: [{ markdown }],
  ...more,
})

describe('mirrorFolder() with files', () => {
  const temporary = withTemporaryFolder()
  const test = withService({ baseUrl: undefined, wikiAddresses: {} })
  let folder: string
  let number = 0
  beforeEach(() => {
    folder = temporary.path(`mirror-${number++}`)
  })

  const run = () =>
    mirrorFolder({ base: `${test.service.listeningUrl}/api/v1`, folder, files: true, firstPause: 0.01 })
  const change = async (pages: PageSpec[], files: FileSpec[]) => {
    await importFiles({ pages }, files)
    test.service.invalidate()
  }
  const cup = { path: 'images/cup.png', data: png(4, 3) }
  const pot = { path: 'Kännchen: "1".png', data: png(5, 3) }

  it('writes the files of pages by their hash, and removes those that no page has any more', async () => {
    await makeWorldWithFiles(
      {
        pages: [
          page('tea', '![](images/cup.png) ![](<Kännchen: "1".png>)'),
          page('mate', '![](/images/cup.png)'),
        ],
      },
      [cup, pot],
    )
    test.service.invalidate()
    await run()
    const names = [cup, pot].map(({ path, data }) => fileInFolder(sha256(data), path, false))
    expect(filesIn(folder)).to.deep.equal([...names].sort())
    expect(readFileSync(join(folder, names[0]!)).equals(cup.data)).to.equal(true)
    expect(names[1]).to.match(/\/Kännchen%3A %221%22\.png$/)

    const other = { path: 'images/cup.png', data: png(4, 3, 9) }
    await change([page('tea', 'No picture.'), page('mate', '![](/images/cup.png)')], [other, pot])
    await run()
    expect(filesIn(folder)).to.deep.equal([fileInFolder(sha256(other.data), 'cup.png', false)])

    writeFileSync(join(folder, 'files', 'left over'), 'from a run that was killed')
    await change([page('tea', 'No picture.'), page('mate', 'None.')], [])
    await run()
    expect(filesIn(folder)).to.deep.equal([])
  })

  it('needs no second download, and leaves out what was withdrawn meanwhile', async () => {
    await makeWorldWithFiles({ pages: [page('tea', '![](images/cup.png)')] }, [cup])
    test.service.invalidate()
    let downloads = 0
    const counting = async (url: string, init: object) => {
      if (!url.includes('/media/')) return fetch(url, init)
      downloads += 1
      return downloads === 1 ? new Response('{}', { status: 404 }) : fetch(url, init)
    }
    const options = { base: `${test.service.listeningUrl}/api/v1`, folder, files: true, fetch: counting }
    await mirrorFolder(options)
    expect([downloads, filesIn(folder)]).to.deep.equal([1, []])
    await change([page('tea', 'Changed ![](images/cup.png)')], [cup])
    await mirrorFolder(options)
    await change([page('tea', 'Changed again ![](images/cup.png)')], [cup])
    await mirrorFolder(options)
    expect([downloads, filesIn(folder).length]).to.deep.equal([2, 1])
  })

  it('asks again when other bytes come than were named', async () => {
    await makeWorldWithFiles({ pages: [page('tea', '![](images/cup.png)')] }, [cup])
    test.service.invalidate()
    const reasons: string[] = []
    let downloads = 0
    const portal = async (url: string, init: object) => {
      if (url.includes('/media/') && ++downloads === 1) return new Response('Please log in')
      return fetch(url, init)
    }
    await mirrorFolder({
      ...{
        base: `${test.service.listeningUrl}/api/v1`,
        folder,
        files: true,
        fetch: portal,
        firstPause: 0.01,
      },
      onRetry: ({ reason }) => {
        reasons.push(reason)
      },
    })
    expect(reasons).to.have.length(1)
    expect(reasons[0]).to.include('another hash')
    const [file] = filesIn(folder)
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, file!)))
        .digest('hex'),
    ).to.equal(sha256(cup.data))
  })

  it('names files safely, whatever their paths are', () => {
    const hash = 'a'.repeat(64)
    for (const [path, name] of [
      ['a/..', '%2E%2E'],
      ['x/con.png', '%63on.png'],
      ['.htaccess', '%2Ehtaccess'],
      ['a\\b\u0001.png', 'a%5Cb%01.png'],
      ['', '%'],
    ])
      expect(fileInFolder(hash, path!, false)).to.equal(`files/${hash}/${name}`)
    expect(Buffer.byteLength(fileInFolder(hash, `${'ä'.repeat(255)}.png`, false))).to.be.lessThan(300)
    for (const hash of ['../../x', 'A'.repeat(64), ''])
      expect(() => fileInFolder(hash, 'x', false)).to.throw()
  })
})
