import { expect } from 'chai'
import { attachWikijs } from '../src/wikijs/attach.ts'
import { png, sha256 } from './support/files.ts'
import { READING, withWikijs } from './support/wikijs.ts'

const cup = png(40, 30)
const pot = png(20, 10, 200)

describe('files of an attached Wiki.js', () => {
  const test = withWikijs({ cacheSeconds: 60 })

  /** Paths of the files that guests see. */
  const shown = async (): Promise<string[]> => {
    test.service.invalidate()
    return (await test.get('/files')).body.items.map(({ path }: { path: string }) => path)
  }
  const media = (data: Buffer, name: string) =>
    fetch(`${test.service.listeningUrl}/media/${sha256(data)}/${name}`)

  it('are its assets that a page shows or links, with the bytes that are in its table', async () => {
    const { wikijs, get, index } = test
    const tea = await wikijs.folder('tea')
    const green = await wikijs.folder('green', tea)
    const large = Buffer.alloc(600 * 1024, 'tea ')
    await wikijs.upload('cup.png', cup, green)
    await wikijs.upload('pot.png', pot, tea)
    await wikijs.upload('large.txt', large)
    await wikijs.upload('unused.png', pot)
    await wikijs.create({ path: 'tea/sencha', content: '![A cup](/tea/green/cup.png =20x) ![](pot.png)' })
    await wikijs.create({ path: 'html', contentType: 'html', content: '<a href="/large.txt">all</a>' })
    await index()
    expect(await shown()).to.deep.equal(['large.txt', 'tea/green/cup.png', 'tea/pot.png'])
    const { body } = await get('/files/tea/green/cup.png')
    expect(body).to.deep.include({
      ...{ media_type: 'image/png', bytes: cup.length, sha256: sha256(cup), width: 40, height: 30 },
      author: { name: 'Ada' },
    })
    const html = (await get('/pages/tea/sencha?format=html')).body.html
    expect(html).to.include(`/media/${sha256(cup)}/cup.png" alt="A cup" width="20"`)
    expect(html).to.include(`/media/${sha256(pot)}/pot.png" alt="" width="20" height="10"`)
    expect(Buffer.from(await (await media(large, 'large.txt')).arrayBuffer()).equals(large)).to.equal(true)
    expect(await wikijs.rows('select 1 from wiki.live_blob_part')).to.deep.equal([])
  })

  it('follow uploads, renames and deletions at once, and are changes of their pages', async () => {
    const { wikijs, get, index } = test
    const id = await wikijs.create({ path: 'tea', content: '![](/cup.png) ![](/mug.png)' })
    await index()
    expect(await shown()).to.deep.equal([])
    const asset = await wikijs.upload('cup.png', cup)
    const before = (await get('/changes')).body.next
    await index()
    expect(await shown()).to.deep.equal(['cup.png'])
    expect((await get(`/changes?after=${before}`)).body.items).to.have.length(1)

    await wikijs.rows('update public."assetData" set data = $2 where id = $1', [asset, pot])
    expect(await shown()).to.deep.equal([])
    expect((await media(cup, 'cup.png')).status).to.equal(404)
    await index()
    expect((await get('/files/cup.png')).body.sha256).to.equal(sha256(pot))

    await wikijs.rows(`update public.assets set filename = 'mug.png' where id = $1`, [asset])
    expect(await shown()).to.deep.equal([])
    await index()
    expect(await shown()).to.deep.equal(['mug.png'])

    await wikijs.update(id, { content: 'The picture mug.png is gone' })
    expect(await shown()).to.deep.equal(['mug.png']) // until the follower has read the text
    await index()
    expect(await shown()).to.deep.equal([])
    await wikijs.update(id, { content: '![](/mug.png)' })
    await index()
    await wikijs.update(id, { content: 'No picture' })
    expect(await shown()).to.deep.equal([])

    await wikijs.update(id, { content: '![](/mug.png)' })
    await index()
    await wikijs.rows('delete from public.assets where id = $1', [asset])
    expect(await shown()).to.deep.equal([])
    expect((await media(pot, 'mug.png')).status).to.equal(404)
  })

  it('are within the page rules of guests for read:assets', async () => {
    const { wikijs, index } = test
    const secret = await wikijs.folder('secret')
    await wikijs.upload('cup.png', cup, secret)
    await wikijs.upload('pot.png', pot)
    await wikijs.create({ path: 'tea', content: '![](/secret/cup.png) ![](/pot.png)' })
    await wikijs.guests([{}, { path: 'secret', deny: true, roles: ['read:assets'] }])
    await index()
    expect(await shown()).to.deep.equal(['pot.png'])
    await wikijs.guests([{}])
    await index()
    expect(await shown()).to.deep.equal(['pot.png', 'secret/cup.png'])
    await wikijs.guests([{}, { match: 'EXACT', path: 'pot.png', deny: true, roles: ['read:assets'] }])
    expect(await shown()).to.deep.equal(['secret/cup.png'])
    await wikijs.guests([{}], READING.slice(0, 3))
    expect(await shown()).to.deep.equal([])
  })

  it('are moved with their folders, and stay while one of two assets with the same bytes goes', async () => {
    const { wikijs, index } = test
    const folder = await wikijs.folder('a')
    await wikijs.upload('cup.png', cup, folder)
    const other = await wikijs.upload('cup.png', cup)
    await wikijs.create({ path: 'tea', content: '![](/a/cup.png) ![](/b/cup.png) ![](/cup.png)' })
    await index()
    expect(await shown()).to.deep.equal(['a/cup.png', 'cup.png'])
    await wikijs.rows(`update public."assetFolders" set slug = 'b'`)
    expect(await shown()).to.deep.equal(['cup.png'])
    await index()
    expect(await shown()).to.deep.equal(['b/cup.png', 'cup.png'])
    await wikijs.rows('delete from public."assetData" where id = $1', [other])
    expect(await shown()).to.deep.equal(['b/cup.png'])
    expect(Buffer.from(await (await media(cup, 'cup.png')).arrayBuffer()).equals(cup)).to.equal(true)
  })

  it('are compared with what bypassed the triggers, and survive another attachment', async () => {
    const { wikijs, index } = test
    const asset = await wikijs.upload('cup.png', cup)
    await wikijs.create({ path: 'tea', content: '![](/cup.png)' })
    await index()
    await attachWikijs(test.owner)
    expect(await shown()).to.deep.equal(['cup.png'])
    expect((await media(cup, 'cup.png')).status).to.equal(200)
    await wikijs.rows('alter table public.assets disable trigger all')
    await wikijs.rows(`update public.assets set filename = 'x.png' where id = $1`, [asset])
    await wikijs.rows('alter table public.assets enable trigger all')
    await wikijs.rows(`update wikijs.comparison set at = '-infinity'`)
    await wikijs.rows('select wikijs.compare(500)')
    expect(await shown()).to.deep.equal([])
  })
})
