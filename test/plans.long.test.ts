import { expect } from 'chai'
import type pg from 'pg'
import { openDatabase } from '../src/db/open-database.ts'
import { allStatements } from '../src/db/statements.ts'
import { copyTemplate, MIGRATED } from './support/database.ts'

/** A node of `explain (format json)`. */
interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Function Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/**
 * 20,000 pages with 3 edits each, one language and one category of most of them, another of 40 with the
 * oldest edits, a few templates behind all other paths: enough that reading through or sorting would be chosen where an
 * index does not serve, and that walking the wrong index would cost thousands of blocks.
 */
const WORLD = `
  insert into wiki.wiki (name, default_locale) values ('Large', 'en');
  insert into wiki.locale (locale, name) values ('en', 'English'), ('ru', 'Русский'), ('ja', '日本語');
  insert into wiki.category (locale, key, name)
  select 'en', 'category ' || i, 'Category' from generate_series(1, 20000) i;
  insert into wiki.page (locale, path, state, translation_group)
  select case when i % 500 = 7 then 'ja' when i % 10 = 3 then 'ru' else 'en' end,
         case when i % 50 = 0 then 'template:' else 'page ' end || lpad(i::text, 6, '0'), 'live', 'group ' || i / 4
    from generate_series(1, 20000) i;
  insert into wiki.revision
         (id, page_id, locale, created_at, author, comment, status, visible, title, categories, size, markdown)
  select md5(p.id || ' ' || e)::uuid, p.id, p.locale,
         '2024-01-01T00:00:00Z'::timestamptz
           + make_interval(secs => case p.locale when 'ja' then 0 else (p.id * 7919 + e * 104729) % 30000 end),
         'Ada', 'comment', 'accepted', true, 'Title', '[]', 4, repeat('text ', 100)
    from wiki.page p cross join generate_series(1, 3) e;
  analyze wiki.page, wiki.revision, wiki.revision_visible;
  insert into wiki.live_page
         (id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author)
  select p.id, p.locale, case when p.path like 'template:%' then 'template' else 'main' end, p.path, 'Title',
         p.translation_group, r.id, r.created_at, r.author
    from wiki.page p
   cross join lateral (
         select * from wiki.revision_visible v where v.page_id >= p.id and v.page_id <= p.id
          order by v.page_id, created_at desc, id desc limit 1) r;
  analyze wiki.live_page;
  insert into wiki.live_category_member
         (locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author, name)
  select c.locale, c.key, c.sort_key, l.path, l.id, l.ns, l.title, l.revision_id, l.revision_created_at,
         l.revision_author, 'Category'
    from (select 'en' as locale, 'large' as key, 'sort key ' || id % 500 as sort_key, id
            from wiki.live_page
           where locale = 'en'
           union all
          select locale, 'category ' || id % 2000, 'sort key', id from wiki.live_page) c
    join wiki.live_page l on l.id = c.id;
  insert into wiki.live_link (page_id, key, locale, path, is_first, page_locale, page_ns, page_path)
  select l.id, '', 'en', t.path, true, l.locale, l.ns, l.path
    from wiki.live_page l
   cross join lateral (values ('page 010001'), ('wanted ' || l.id % 2000), ('page ' || lpad((l.id % 900)::text, 6, '0')))
              as t (path);
  insert into wiki.live_link (page_id, key, locale, path, is_first, page_locale, page_ns, page_path)
  select 10001, '', 'en', 'page ' || lpad(i::text, 6, '0'), true, 'en', 'main', 'page 010001'
    from generate_series(1, 300) i;
  insert into wiki.live_search
         (page_id, locale, score, index_version, config, title_key, path_key, words, starts, body)
  select id, locale, id % 97, 2, 'simple', left(md5(id::text), 1) || ' title ' || id, path, '', '{}', ''
    from wiki.live_page;
  insert into wiki.live_page_position (page_id, position) select id, id from wiki.live_page;
  insert into wiki.live_html (page_id, renderer, digest, host, html) select id, '', '', '', repeat('<p>', 500) from wiki.live_page;
  insert into wiki.live_name (page_id, locale, key, is_alias) select id, locale, 'end ' || id / 2, id % 10 = 0 from wiki.live_page;
  insert into wiki.search_hot_set (page_id, locale, score, title_key, words)
  select page_id, locale, score, title_key, words from wiki.live_search where score > 94;
  select wiki.assign_positions(array(select id from wiki.live_page));
  insert into wiki.live_blob (sha256) select sha256(i::text::bytea) from generate_series(1, 20000) i;
  insert into wiki.live_blob_part (blob_id, part, data) select b.id, p, 'data' from wiki.live_blob b, generate_series(0, 2) p;
  insert into wiki.live_file (locale, path, blob_id, sha256, media_type, bytes, version)
  select '', 'file ' || lpad(b.id::text, 6, '0'), b.id, b.sha256,
         case when b.id % 1000 = 0 then 'application/pdf' when b.id % 3 = 0 then 'image/png' else 'image/webp' end, 12, ''
    from wiki.live_blob b;
  analyze wiki.live_file;
  insert into wiki.live_file_use (page_id, reference, file_id, page_locale, page_path)
  select l.id, f.path, f.id, l.locale, l.path from wiki.live_page l join wiki.live_file f on f.path = 'file ' || substr(l.path, 6)
   where l.path like 'page %'
  union all
  select l.id, r, f.id, l.locale, l.path
    from wiki.live_page l join wiki.live_file f on f.path = 'file 000001' cross join unnest(array['a', 'b']) r;
  insert into wiki.live_former_path (locale, path, page_id) values ('en', 'before', 9);
  truncate wiki.live_change;
  insert into wiki.live_change (page_id, change, shown_at, locale, ns)
  select id, 5000000000000000 + id, 1, locale, ns from wiki.live_page;
  insert into wiki.tombstone (locale, path, ns, change)
  select case when i % 500 = 7 then 'ja' else 'en' end, 'gone ' || i, case when i % 50 = 0 then 'template' else 'main' end,
         5000000000020000 + i
    from generate_series(1, 20000) i;
  analyze wiki.wiki, wiki.locale, wiki.category, wiki.page, wiki.revision, wiki.revision_visible,
          wiki.live_page, wiki.live_category_member, wiki.live_position, wiki.live_link, wiki.live_category,
          wiki.live_change, wiki.tombstone, wiki.live_search, wiki.live_name, wiki.search_hot_set,
          wiki.live_blob, wiki.live_blob_part, wiki.live_file, wiki.live_file_use`

/** More rows than the answers of a batch hold: no sort may take in as many. */
const MANY = 500

/**
 * The lines `-- plan:` of the statements: the blocks that one may touch, a few for each row of the answer, whatever the
 * size of the wiki; a title; and parameters as a loader gives them. `:cursor` is the position of an edit of the middle.
 */
const calls = allStatements().flatMap(({ name, text }) =>
  [...text.matchAll(/^-- plan: (.+)$/gm)].map(([, line]) => {
    const [blocks, title, parameters] = line!.split(' | ')
    return { name, text, blocks: Number(blocks), title, parameters: parameters! }
  }),
)

describe('query plans in a wiki of 20,000 pages and 60,000 revisions', () => {
  let client: pg.PoolClient
  let close: () => Promise<void>
  before(async () => {
    // A database of its own: in one that other tests have filled, statistics and cached plans, also those of foreign keys,
    // are for a few rows. Then this fill takes minutes.
    const { place, remove } = await copyTemplate(MIGRATED)
    const owner = await openDatabase(place, 'owner')
    close = () => owner.close().then(remove)
    client = await owner.connect()
    await client.query(WORLD)
    const { rows } = await client.query<{ cursor: string }>(
      "select quote_literal(max(position)) as cursor from wiki.live_position where created_at = '2024-01-01T04:00:00Z'",
    )
    cursor = rows[0]!.cursor
    const large = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'wiki'::regnamespace and reltuples > 1000",
    )
    largeTables = new Set(large.rows.map(({ name }) => name))
  })

  after(async () => {
    client?.release(true)
    await close?.()
  })

  let prepared = 0
  let cursor = ''
  /** Tables that no statement may read through. */
  let largeTables = new Set<string>()

  /** The plan of a statement for lectern_reader: generic, or for these parameters. */
  const planOf = async (text: string, parameters: string, mode: string): Promise<Plan> => {
    const handle = `plan_${prepared++}`
    await client.query('begin read only')
    try {
      await client.query('set local role lectern_reader')
      await client.query(`set local plan_cache_mode = ${mode}`)
      await client.query(`prepare ${handle} as ${text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, costs off, timing off, format json) execute ${handle} (${parameters.replace(':cursor', cursor)})`,
      )
      return rows[0]!['QUERY PLAN'][0].Plan
    } finally {
      await client.query('rollback')
    }
  }

  /**
   * The plan that scanned the fewest blocks in up to three runs. Other sessions' changes of the schema can empty this
   * one's copies of the catalogue at any moment; the node that runs then counts the catalogue's blocks as its own.
   */
  const leastPlanOf = async (text: string, parameters: string, mode: string, most: number): Promise<Plan> => {
    let least = await planOf(text, parameters, mode)
    for (let run = 2; run <= 3 && scannedBlocks(least) > most; run++) {
      const plan = await planOf(text, parameters, mode)
      if (scannedBlocks(plan) < scannedBlocks(least)) least = plan
    }
    return least
  }

  it('every statement that guests wait for names a plan, except those that search, count and check', () => {
    const others = /^(check|export|search|delete|publish|rename)_|_to_index$|_without_html$|^index_version$/
    const without = allStatements().filter(
      ({ text }) => /\bguest\./.test(text) && !text.includes('-- plan: '),
    )
    expect(without.map(({ name }) => name).filter((name) => !others.test(name))).to.have.members([
      'followed_sources',
      'listed_notes',
      'page_counts',
      'page_starts',
      'suggest_titles_with_word',
      'wiki',
    ])
  })

  for (const { name, text, blocks, title, parameters } of calls) {
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      it(`${name}, ${title}: reads by index and stops (${mode})`, async () => {
        const plan = await leastPlanOf(text, parameters, mode, blocks)
        const shown = describePlan(plan)
        expect(plan['Actual Rows'], shown).to.be.greaterThan(0)
        expectIndexes(plan, largeTables)
        // A list stops at its limit.
        if (/^ +limit k.first/m.test(text)) expect(shown).to.match(/Limit/)
        expect(scannedBlocks(plan), shown).to.be.at.most(blocks)
      })
    }
  }
})

/** No large table is read through, and nothing sorts or collects more rows than a batch returns. */
const expectIndexes = (plan: Plan, largeTables: ReadonlySet<string>): void => {
  const shown = describePlan(plan)
  for (const node of nodesOf(plan)) {
    const type = node['Node Type']
    if (largeTables.has(node['Relation Name'] ?? '')) {
      expect(type, shown).to.match(/^(Index Scan|Index Only Scan|Bitmap Heap Scan)$/)
      expect(node['Actual Rows'] * node['Actual Loops'], shown).to.be.lessThan(MANY)
    }
    if (/Sort|Hash|Materialize|Aggregate/.test(type)) {
      for (const below of node.Plans ?? []) {
        expect(below['Actual Rows'] * below['Actual Loops'], `${type} in ${shown}`).to.be.lessThan(MANY)
      }
    }
  }
}

const describePlan = (plan: Plan): string => JSON.stringify(nodesOf(plan).map(describeNode), null, 1)

const blocksOf = (node: Plan): number => node['Shared Hit Blocks'] + node['Shared Read Blocks']

/** The blocks that scans read. Other nodes read the catalogue only, for the functions in their expressions. */
const scannedBlocks = (plan: Plan): number =>
  (plan['Index Name'] ?? plan['Relation Name'] ?? plan['Function Name'])
    ? blocksOf(plan)
    : (plan.Plans ?? []).reduce((sum, node) => sum + scannedBlocks(node), 0)

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const describeNode = (node: Plan): string =>
  [
    node['Node Type'],
    node['Index Name'] ?? node['Relation Name'] ?? '',
    `${node['Actual Rows']} rows`,
    `${node['Actual Loops']} times`,
    `${blocksOf(node)} blocks`,
  ].join(' ')
