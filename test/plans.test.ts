import { expect } from 'chai'
import type pg from 'pg'
import { statement } from '../src/db/statements.ts'
import { testDatabase } from './support/database.ts'
import { clearWorld } from './support/world.ts'

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
  alter table wiki.page alter id restart with 1;
  alter table wiki.live_blob alter id restart with 1;
  alter table wiki.live_file alter id restart with 1;
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
  insert into wiki.live_page
         (id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author)
  select p.id, p.locale, case when p.path like 'template:%' then 'template' else 'main' end, p.path, 'Title',
         p.translation_group, r.id, r.created_at, r.author
    from wiki.page p
   cross join lateral (
         select * from wiki.revision_visible v where v.page_id >= p.id and v.page_id <= p.id
          order by v.page_id, created_at desc, id desc limit 1) r;
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
  insert into wiki.live_name (page_id, locale, key, is_alias) select id, locale, 'end ' || id / 2, false from wiki.live_page;
  insert into wiki.search_hot_set (page_id, locale, score, title_key, words)
  select page_id, locale, score, title_key, words from wiki.live_search where score > 94;
  select wiki.assign_positions(array(select id from wiki.live_page));
  insert into wiki.live_blob (sha256) select sha256(i::text::bytea) from generate_series(1, 20000) i;
  insert into wiki.live_blob_part (blob_id, part, data) select b.id, p, 'data' from wiki.live_blob b, generate_series(0, 2) p;
  insert into wiki.live_file (locale, path, blob_id, sha256, media_type, bytes, version)
  select '', 'file ' || lpad(b.id::text, 6, '0'), b.id, b.sha256,
         case when b.id % 1000 = 0 then 'application/pdf' when b.id % 3 = 0 then 'image/png' else 'image/webp' end, 12, ''
    from wiki.live_blob b;
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

/** Tables that a list must not read through, nor sort. */
const LARGE = [
  'live_page',
  'revision_visible',
  'revision_hidden',
  'live_category_member',
  'live_position',
  'live_change',
  'tombstone',
  'live_link',
  'live_name',
  'live_category',
  'live_search',
  'search_hot_set',
  'category',
  'live_blob_part',
  'live_file',
  'live_file_use',
]
/** More rows than the answers of a batch hold: no sort may take in as many. */
const MANY = 500

const MIDDLE = '2024-01-01T04:00:00Z'

/**
 * Statements with the blocks that they may touch, a few for each row of the answer, whatever the size of the wiki; a
 * title; and parameters as a loader gives them. `:cursor` is the position of an edit of the middle, once that is known.
 */
const calls = `
pages_after | 60 | the first part of the list of pages | '{en}', '{main}', '{""}', '{51}'
pages_after | 210 | a part from its middle | '{en}', '{main}', '{"page 010001"}', '{201}'
pages_after | 180 | parts of three lists at once | '{en,ru,en}', '{main,main,template}', '{"","page 01",""}', '{51,51,51}'
pages_with_prefix | 20 | paths with a beginning that few have | '{en}', '{main}', '{""}', '{51}', '{"page 01000"}'
history | 20 | a history | '{en}', '{"page 010001"}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
history | 60 | three histories at once | '{en,en,ru}', '{"page 010001","page 000001","page 000003"}', '{infinity,${MIDDLE},infinity}', '{NULL,NULL,NULL}', '{50,50,50}', '{-infinity,-infinity,-infinity}'
files_of_page | 60 | the files of pages | '{1,500,9000}'
file_by_path | 12 | a file by its path | '{en,ru}', '{"file 000001","file 010000"}'
file_by_hash | 12 | a file by its hash, and none | array[encode(sha256('1'::bytea), 'hex'), '00'], '{"file 000001",x}'
files_after | 70 | files from the middle of the list | '{"file 010000"}', '{""}', '{""}', '{51}'
files_of_type | 40 | files of a rare type, from the middle | '{"file 010000"}', '{""}', '{""}', '{11}', '{application}'
files_of_type | 120 | files of a type whose paths begin alike | '{""}', '{""}', '{"file 01"}', '{51}', '{image/png}'
pages_of_file | 300 | pages that use a file that all pages use, from the middle | '{1}', '{en}', '{"page 010001"}', '{51}'
dialect_of_page | 20 | the dialects of pages | '{1,500,9000}'
recent | 300 | the newest revisions | '{infinity}', '{NULL}', '{50}', '{-infinity}'
recent | 1200 | revisions from the middle, beginning between revisions of one timestamp | '{${MIDDLE}}', array[:cursor]::timestamptz[], '{200}', '{-infinity}'
recent | 300 | the last revisions before a time, which are not many since another | '{${MIDDLE}}', '{NULL}', '{50}', '{2024-01-01T03:59:50Z}'
recent_of_locale | 300 | the newest revisions of a language | '{ja}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
recent_of_locale | 1200 | revisions of a language from the middle | '{ru}', '{${MIDDLE}}', '{NULL}', '{200}', '{-infinity}'
recent_within | 700 | the newest revisions by an author | '{NULL}', '{Ada}', '{NULL}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
recent_within | 60 | revisions by an author who has none | '{NULL}', '{Nobody}', '{NULL}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
recent_within | 4000 | the newest revisions of templates | '{en}', '{NULL}', '{template}', '{infinity}', '{NULL}', '{50}', '{-infinity}'
category_members | 300 | the first part of a category | '{en}', '{large}', '{""}', '{""}', '{51}'
category_members | 1200 | a part from its middle, beginning within a sort key | '{en}', '{large}', '{"sort key 250"}', '{"page 010001"}', '{201}'
changes | 300 | the first part of the changes | '{0}', '{NULL}', '{50}'
changes | 800 | parts from the middle and from the end | '{5000000000010000,5000000000039990}', '{x,x}', '{100,100}'
changes | 12 | nothing new | '{5000000000040000}', '{x}', '{50}'
changes | 16 | the end | '{9223372036854775807}', '{NULL}', '{50}'
changes_of | 60 | the end, for one language | '{9223372036854775807}', '{NULL}', '{50}', '{ja}', '{NULL}'
changes_of | 50 | nothing new in a language of few pages | '{9000000000000000}', '{x}', '{50}', '{ja}', '{NULL}'
changes_of | 400 | the templates of all languages | '{0}', '{NULL}', '{20}', '{NULL}', '{template}'
changes_of | 20 | a namespace of a language without pages there | '{0}', '{NULL}', '{50}', '{en}', '{module}'
page_by_former_path | 20 | a page at its former path | '{en}', '{before}'
categories_after | 450 | the first part of the list of categories | '{en}', '{""}', '{51}'
categories_after | 2200 | parts of two lists from their middles | '{en,ru}', '{"category 1","category 5"}', '{201,51}'
category_sizes | 20 | the sizes of categories | '{en,en}', '{large,"category 7"}'
category_by_key | 40 | a category | '{en,en}', '{large,"category 7"}', '{"",""}', '{"",""}', '{0,0}'
category_by_key | 300 | a category with the first part of its members | '{en}', '{large}', '{""}', '{""}', '{51}'
category_by_key | 1400 | two categories with parts from their middle | '{en,en}', '{large,"category 7"}', '{"sort key 250",""}', '{"page 010001",""}', '{201,201}'
links_to | 400 | the first part of 20,000 links to a page | '{en}', '{"page 010001"}', '{NULL}', '{""}', '{""}', '{51}'
links_to | 1400 | a part from their middle | '{en}', '{"page 010001"}', '{NULL}', '{ru}', '{"page 01"}', '{201}'
links_to | 300 | the templates of them | '{en}', '{"page 010001"}', '{template}', '{""}', '{""}', '{51}'
links_to | 100 | links to a page that does not exist | '{en}', '{"wanted 7"}', '{NULL}', '{""}', '{""}', '{51}'
pages_by_name | 60 | a path, the end of a path and a name without a page | '{en,en,en}', '{"page 010001","end 9",x}', '{"page 010001","end 9",x}'
links_from | 500 | links of a page | '{en}', '{"page 010001"}', '{NULL}', '{""}', '{""}', '{51}'
suggest_titles | 500 | a letter with which 1,000 titles begin | 'en', 'c', 'c', 20, 400
suggest_titles | 300 | a whole title | 'en', 'c title 12', 'c title 12', 20, 400
suggest_similar_titles | 500 | titles that differ by a typo | 'en', '{"c titl","d title 1","x title 1"}', '{NULL,NULL,NULL}', 20, 20, 300
suggest_similar_titles | 500 | titles that match a pattern | 'en', '{"c title 1"}', '{"c title 1__1%"}', 20, 20, 300
category_members_edited | 300 | a part of a category without dates, with information for paging | '{en}', '{large}', '{""}', '{""}', '{51}', '{-infinity}', '{infinity}', '{51}'
category_members_edited | 1200 | members of a category that were edited at a time, among the first 300 | '{en}', '{large}', '{""}', '{""}', '{51}', '{${MIDDLE}}', '{infinity}', '{300}'
page_by_path | 60 | a page | '{en}', '{"page 010001"}'
page_by_path | 180 | three pages at once | '{en,en,ru}', '{"page 010001","page 000001","page 000003"}'
categories_of_page | 90 | categories of pages | '{10,11,12}'
translations_of_page | 90 | translations of pages | '{10,11,12}'
revision_by_id | 90 | three revisions with their pages and the revisions before them | array[md5('1 2')::uuid, md5('10000 2')::uuid, md5('20000 2')::uuid]
revisions_with_page | 60 | three revisions of a list with their pages | array[md5('1 2')::uuid, md5('10000 2')::uuid, md5('20000 2')::uuid], '{true,false,true}', '{true,true,false}'
revision_texts | 40 | a text and the beginning of another | array[md5('1 2')::uuid, md5('10000 2')::uuid], '{NULL,10}'
texts_of_list | 80 | the texts of a list of three, and of one | array[array[md5('1 2')::uuid, md5('10000 2')::uuid, md5('20000 2')::uuid]::text, array[md5('30000 2')::uuid]::text], '{1000000,1000000}'
contributors_of_page | 60 | the authors of pages | '{10,11,12}', '{100,100,100}'
revision_pairs | 90 | two revisions to compare, one of them with the one before it | array[md5('1 2')::uuid, md5('10000 2')::uuid], array[null, md5('20000 2')::uuid]::uuid[]
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [name: string, blocks: string, title: string, parameters: string])

/** Lists that must stop at their limit. */
const LISTS = [
  'pages_after',
  'pages_with_prefix',
  'history',
  'recent',
  'recent_of_locale',
  'category_members',
  'category_by_key',
  'categories_after',
  'links_to',
  'links_from',
  'changes',
  'changes_of',
  'category_members_edited',
]

describe('query plans in a wiki of 20,000 pages and 60,000 revisions', () => {
  let client: pg.PoolClient
  before(async () => {
    await clearWorld()
    client = await (await testDatabase()).owner.connect()
    await client.query(WORLD)
    const { rows } = await client.query<{ cursor: string }>(
      `select quote_literal(max(position)) as cursor from wiki.live_position where created_at = '${MIDDLE}'`,
    )
    cursor = rows[0]!.cursor
  })

  after(async () => {
    client?.release(true)
    await clearWorld()
  })

  let prepared = 0
  let cursor = ''

  /** The plan of a statement for lectern_reader: generic, or for these parameters. */
  const planOf = async (name: string, parameters: string, mode: string): Promise<Plan> => {
    const handle = `plan_${prepared++}`
    await client.query('begin read only')
    try {
      await client.query('set local role lectern_reader')
      await client.query(`set local plan_cache_mode = ${mode}`)
      await client.query(`prepare ${handle} as ${statement(name).text}`)
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
  const leastPlanOf = async (name: string, parameters: string, mode: string, most: number): Promise<Plan> => {
    let least = await planOf(name, parameters, mode)
    for (let run = 2; run <= 3 && scannedBlocks(least) > most; run++) {
      const plan = await planOf(name, parameters, mode)
      if (scannedBlocks(plan) < scannedBlocks(least)) least = plan
    }
    return least
  }

  for (const [name, most, title, parameters] of calls) {
    const blocks = Number(most)
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      it(`${name}, ${title}: reads by index and stops (${mode})`, async () => {
        const plan = await leastPlanOf(name, parameters, mode, blocks)
        const shown = describePlan(plan)
        expect(plan['Actual Rows'], shown).to.be.greaterThan(0)
        expectIndexes(plan)
        if (LISTS.includes(name)) expect(shown).to.match(/Limit/)
        expect(scannedBlocks(plan), shown).to.be.at.most(blocks)
      })
    }
  }
})

/** No large table is read through, and nothing sorts or collects more rows than a batch returns. */
const expectIndexes = (plan: Plan): void => {
  const shown = describePlan(plan)
  for (const node of nodesOf(plan)) {
    const type = node['Node Type']
    if (LARGE.includes(node['Relation Name'] ?? '')) {
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
