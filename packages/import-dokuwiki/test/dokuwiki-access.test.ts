import { GuestAccess } from '@lectern/import-dokuwiki/access'
import { expect } from 'chai'
import {
  type DokuwikiFiles,
  dokuwikiPage,
  readDokuwiki,
  withDokuwiki,
} from '../../../test/support/dokuwiki.ts'
import { failureOf, usageErrorOf } from '../../../test/support/failures.ts'

/** 2024-05-01T12:00:00Z. */
const T = 1_714_564_800

const PAGES: DokuwikiFiles = {
  ...dokuwikiPage('tea', [{ time: T, text: 'public' }]),
  ...dokuwikiPage('team:plan', [
    { time: T, text: 'secret' },
    { time: T + 1, text: 'secret, too' },
  ]),
  ...dokuwikiPage('team:gone', [
    { time: T, text: 'secret' },
    { time: T + 1, type: 'D' },
  ]),
}

const read = (files: DokuwikiFiles, options: Parameters<typeof readDokuwiki>[1] = {}) =>
  withDokuwiki(files, (folder) => readDokuwiki(folder, options))

const refusal = (files: DokuwikiFiles, options = {}): Promise<string> =>
  usageErrorOf(read({ ...PAGES, ...files }, options))

const configuration = (...lines: string[]): DokuwikiFiles => ({
  'conf/dokuwiki.php': "<?php\n$conf['useacl'] = 0;\n",
  'conf/local.php': `<?php\n${lines.join('\n')}\n`,
})

/** Whether guests may read each page, by a list. */
const readable = (list: string, ...ids: string[]): boolean[] => {
  const access = new GuestAccess(`# acl.auth.php\n# <?php exit()?>\n${list}`)
  return ids.map((id) => access.canRead(id))
}

describe('dokuwiki access control lists', () => {
  it('the rule for a page comes before those for its namespaces, the inner one first', () => {
    const list = '* @ALL 1\nteam:* @ALL 0\nteam:open:* @ALL 8\nteam:open:plan @ALL 0\nteam:a @ALL 1'
    expect(
      readable(list, 'tea', 'team:x', 'team:x:y', 'team:open:y', 'team:open:z:y', 'team:open:plan', 'team:a'),
    ).to.deep.equal([true, false, false, true, true, false, true])
  })

  it('without a rule for everybody, guests read nothing', () => {
    expect(readable('* @user 16\ntea @ada 8\n* ada 16', 'tea', 'team:x')).to.deep.equal([false, false])
    expect(readable('', 'tea')).to.deep.equal([false])
  })

  it('a rule for others does not hide a rule for everybody around it', () => {
    expect(readable('* @ALL 1\nteam:* @user 8', 'team:x')).to.deep.equal([true])
  })

  it('of several rules for one place, the highest permission counts', () => {
    expect(readable('team:* @ALL 0\nteam:* @ALL 1', 'team:x')).to.deep.equal([true])
  })

  it('a page with the name of a namespace does not belong to it', () => {
    expect(readable('* @ALL 1\nteam:* @ALL 0', 'team', 'teams:x')).to.deep.equal([true, true])
  })

  it('rules with names of users and groups in them do not count for guests', () => {
    const list = '* @ALL 0\nuser:%USER%:* %USER% 16\nuser:%USER% @ALL 1\nx:%GROUP% @ALL 1\nteam:* @ALL# 1'
    expect(readable(list, 'user:ada', 'user:%USER%', 'x:%GROUP%', 'team:x')).to.deep.equal([
      false,
      false,
      false,
      false,
    ])
  })

  it('reads tabs, comments and Windows line ends, and case matters', () => {
    expect(
      readable(
        'tea\t@ALL\t1\r\n  leaf   @ALL  1 # why\r\n#cup @ALL 1\npot @all 1',
        'tea',
        'leaf',
        'cup',
        'pot',
      ),
    ).to.deep.equal([true, true, false, false])
  })

  it('a permission that is not a number forbids', () => {
    expect(readable('* @ALL 1\ntea @ALL read\nleaf @ALL \ncup @ALL -1', 'tea', 'leaf', 'cup')).to.deep.equal([
      false,
      true,
      true,
    ])
  })
})

describe('import dokuwiki: what guests may read', () => {
  it('leaves out pages that guests may not read, with their history, and counts them', async () => {
    const { paths, records, notes } = await read({
      ...PAGES,
      ...configuration("$conf['useacl'] = 1;"),
      'conf/acl.auth.php': '* @ALL 1\nteam:* @ALL 0\nteam:* @user 16\n',
    })
    expect(paths).to.deep.equal(['tea'])
    expect(JSON.stringify(records)).to.not.match(/secret|team/)
    expect(notes).to.include('does not let guests read them: 2')
  })

  it('imports everything if the wiki uses no lists', async () => {
    for (const value of ['0', 'false', "'0'", "''"]) {
      const { paths } = await read({
        ...PAGES,
        ...configuration(`$conf['useacl'] = ${value};`),
        'conf/acl.auth.php': '* @ALL 0\n',
      })
      expect(paths, value).to.have.length(3)
    }
  })

  it('fails if the list is missing, or no configuration was found', async () => {
    expect(await refusal(configuration("$conf['useacl'] = 1;"))).to.include('no acl.auth.php')
    expect(await refusal({})).to.include('--public')
    expect(await refusal({ 'conf/local.php': "<?php\n$conf['title'] = 'x';" })).to.include('--public')
    expect((await read(PAGES, { isPublic: true })).paths).to.have.length(3)
  })

  it('--public does not open a wiki with lists', async () => {
    expect(await refusal(configuration("$conf['useacl'] = 1;"), { isPublic: true })).to.include(
      'acl.auth.php',
    )
  })

  it('a later file of the configuration overrides an earlier one', async () => {
    const files = {
      ...configuration("$conf['useacl'] = 0;"),
      'conf/local.protected.php': "<?php\n$conf['useacl'] = 1;\n",
    }
    expect(await refusal(files)).to.include('acl.auth.php')
  })

  it('assignments in comments and strings do not count', async () => {
    for (const line of [
      "//$conf['useacl'] = 0;",
      "#$conf['useacl'] = 0;",
      "/* $conf['useacl'] = 0;\n$conf['useacl'] = 0; */",
      `$x = '$conf["useacl"] = 0;';`,
      "$other['useacl'] = 0;",
      "$conf['plugin']['useacl'] = 0;",
    ])
      expect(await refusal(configuration("$conf['useacl'] = 1;", line)), line).to.include('acl.auth.php')
  })

  it('assumes that a wiki uses lists if its configuration is a program', async () => {
    for (const line of [
      "$conf['useacl'] = getenv('ACL');",
      "$conf['useacl'] = 0 + 1;",
      "if ($x) { $conf['useacl'] = 0; }",
      "include('/etc/other.php');",
      '$conf[$key] = 1;',
      "$conf['useacl'] |= 1;",
      "$GLOBALS['conf']['useacl'] = 1;",
      ['$', "{'conf'}['useacl'] = 1;"].join(''),
    ])
      expect(await refusal(configuration(line)), line).to.include('acl.auth.php')
    const usual = configuration("@include(DOKU_CONF.'local.protected.php');")
    expect((await read({ ...PAGES, ...usual })).paths).to.have.length(3)
  })

  it('reads arrays of settings', async () => {
    const files = configuration("$conf = array('useacl' => 1, 'title' => 'x');")
    expect(await refusal(files)).to.include('acl.auth.php')
  })

  it('leaves out pages that hidepages hides', async () => {
    const { paths, records, notes } = await read({
      ...PAGES,
      ...configuration("$conf['hidepages'] = '^:TEAM\\:|\\-x';"),
    })
    expect(paths).to.deep.equal(['tea'])
    expect(JSON.stringify(records)).to.not.include('secret')
    expect(notes).to.include("because $conf['hidepages'] hides them: 2")
  })

  it('fails if it cannot use the pattern of hidepages', async () => {
    for (const pattern of ['(?i)team', '\\Ateam', '[[:alpha:]]', '(', 'x'.repeat(2_001)])
      expect(await refusal(configuration(`$conf['hidepages'] = '${pattern}';`)), pattern).to.include(
        'hidepages',
      )
    expect(await refusal(configuration("$conf['hidepages'] = $x;"))).to.include('Write its value as a string')
  })

  it('imports no old revisions if the wiki shows none', async () => {
    const { pages, notes } = await read({
      ...PAGES,
      ...configuration("$conf['disableactions'] = 'register, revisions';"),
    })
    expect(pages.flatMap(({ revisions }) => revisions.map(({ markdown }) => markdown))).to.deep.equal([
      'public\n',
      'secret, too\n',
    ])
    expect(notes).to.include('Old revisions left out')
  })

  it('reads the data in a folder of its own, with its configuration', async () => {
    const files = {
      ...PAGES,
      ...configuration("$conf['useacl'] = 1;"),
      'conf/acl.auth.php': 'tea @ALL 1\n',
      'elsewhere/local.php': "<?php $conf['useacl'] = 0;",
    }
    await withDokuwiki(files, async (folder) => {
      expect((await readDokuwiki(`${folder}/data`)).paths).to.deep.equal(['tea'])
      const open = { configuration: `${folder}/elsewhere` }
      expect((await readDokuwiki(`${folder}/data`, open)).paths).to.have.length(3)
      expect((await failureOf(readDokuwiki(`${folder}/conf`))).message).to.include('is not a DokuWiki')
      expect((await failureOf(readDokuwiki(`${folder}/none`))).message).to.include('is not a folder')
      const none = { configuration: `${folder}/none` }
      expect((await failureOf(readDokuwiki(folder, none))).message).to.include('--conf')
    })
  })

  it('reads the data where the configuration says, and names the folder', async () => {
    const moved = Object.fromEntries(
      Object.entries(PAGES).map(([path, content]) => [path.replace(/^data/, 'store'), content]),
    )
    await withDokuwiki({ ...moved, ...configuration("$conf['savedir'] = './store';") }, async (folder) => {
      const { rm } = await import('node:fs/promises')
      await rm(`${folder}/data`, { recursive: true })
      const { paths, notes } = await readDokuwiki(folder)
      expect(paths).to.have.length(3)
      expect(notes).to.match(/in another folder, as the configuration says: 1, first .*store\/pages/)
    })
  })
})
