-- name: export_wiki
select w.name, w.default_locale, w.license,
       (select coalesce(json_agg(json_build_object('locale', l.locale, 'name', l.name) order by l.locale), '[]')
          from wiki.locale l) as locales
  from wiki.wiki w;

-- name: export_categories
-- $1 text locale, $2 text key to start after, $3 int rows
select locale, key, name from wiki.category
 where (locale, key) > ($1, $2)
 order by locale, key
 limit $3;

-- name: export_pages
-- $1 text locale, $2 text path to start after, $3 int rows
select id, locale, path, state, translation_group from wiki.page
 where (locale, path) > ($1, $2)
 order by locale, path
 limit $3;

-- name: export_revisions
-- $1 bigint[] page ids
select page_id, id, created_at, author, comment, status, title, markdown, categories
  from wiki.revision
 where page_id = any ($1)
 order by page_id, created_at, id;
