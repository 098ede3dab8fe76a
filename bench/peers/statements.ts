/** One joined statement per endpoint, on the views of `guest`. Each connection prepares a statement at its first use. */
export const statements = {
  page: `
    select p.id, p.locale, p.path, p.title, p.ns, r.id as revision_id, r.created_at, r.author, r.markdown,
           (select coalesce(json_agg(json_build_object('key', m.key, 'name', coalesce(c.name, d.title, m.key))
                                     order by m.key), '[]')
              from guest.category_member m
              left join guest.category c on c.locale = m.locale and c.key = m.key
              left join guest.page d on d.locale = m.locale and d.path = 'category:' || m.key
             where m.page_id = p.id) as categories,
           (select coalesce(json_agg(json_build_object('locale', t.locale, 'path', t.path, 'title', t.title)
                                     order by t.locale, t.path), '[]')
              from guest.page t
             where t.translation_group = p.translation_group and t.locale <> p.locale) as translations
      from guest.page p
      join guest.revision r on r.id = p.revision_id
     where p.locale = $1 and p.path = $2`,
  pages: `
    select path, title, locale, ns, revision_id, revision_created_at, revision_author
      from guest.page
     where locale = $1 and ns = $2 and path > $3
     order by path
     limit $4`,
  history: `
    select p.id as page_id, r.*
      from guest.page p
      left join lateral (
           select id, created_at, author, comment, size
             from guest.revision
            where page_id = p.id and (created_at, id) < ($3::timestamptz, $4::uuid)
            order by created_at desc, id desc
            limit $5) r on true
     where p.locale = $1 and p.path = $2
     order by r.created_at desc, r.id desc`,
  position: `
    select created_at, revision_id as id from guest.position where position = $1`,
  position_of: `
    select position from guest.position where revision_id = $1`,
  revision: `
    select r.id, r.created_at, r.author, r.comment, r.size, r.markdown, p.path, p.title, p.locale, p.ns,
           (select e.id from guest.revision e
             where e.page_id = r.page_id and (e.created_at, e.id) < (r.created_at, r.id)
             order by e.created_at desc, e.id desc
             limit 1) as parent
      from guest.revision r
      join guest.page p on p.id = r.page_id
     where r.id = $1`,
  recent: `
    select r.*, p.path, p.title, p.locale, p.ns
      from (select id, page_id, created_at, author, comment, size
              from guest.revision
             where (created_at, id) < ($1::timestamptz, $2::uuid)
             order by created_at desc, id desc
             limit $3) r
      join guest.page p on p.id = r.page_id
     order by r.created_at desc, r.id desc`,
  category: `
    select coalesce(c.name, d.title, k.key) as category_name, x.*
      from (select $1::text as locale, $2::text as key) k
      left join guest.category c on c.locale = k.locale and c.key = k.key
      left join guest.page d on d.locale = k.locale and d.path = 'category:' || k.key
      left join lateral (
           select m.sort_key, p.path, p.title, p.locale, p.ns, p.revision_id, p.revision_created_at, p.revision_author
             from guest.category_member m
             join guest.page p on p.id = m.page_id
            where m.locale = k.locale and m.key = k.key and (m.sort_key, m.path) > ($3::text, $4::text)
            order by m.sort_key, m.path
            limit $5) x on true
     where c.key is not null or d.id is not null or x.path is not null
     order by x.sort_key, x.path`,
  // A headline costs more than a match, so only the pages of the response get one.
  search: `
    with asked as (
      select websearch_to_tsquery(search_config, $2) as query, search_config from guest.locale where locale = $1
    ), hit as (
      select s.page_id, ts_rank_cd(s.words, a.query) as rank
        from bench.search s
       cross join asked a
       where s.locale = $1 and s.words @@ a.query
       order by rank desc, s.page_id
       limit $4 offset $3
    )
    select p.path, p.title, p.locale, p.ns,
           ts_headline(a.search_config, r.markdown, a.query,
                       'MaxFragments=3, StartSel=' || chr(2) || ', StopSel=' || chr(3) || ', FragmentDelimiter=' || chr(1))
             as headline
      from hit h
      join guest.page p on p.id = h.page_id
      join guest.revision r on r.id = p.revision_id
     cross join asked a
     order by h.rank desc, h.page_id`,
} as const
