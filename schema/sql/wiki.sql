-- name: wiki
-- The wiki and its languages, and whether a page has another path on its site. Name and default language are null before the first import.
-- null: name, defaultLocale, license
select w.name, w.default_locale as "defaultLocale", w.license,
       coalesce((select json_agg(json_build_object('locale', l.locale, 'name', l.name) order by l.locale)
                   from guest.locale l), '[]') as locales,
       exists (select from guest.page_position where site_path is not null) as "hasSitePaths"
  from (select) as one
  left join guest.wiki w on true;

-- name: page_counts
-- How many live pages of the main namespace languages have. It counts no further, so that it takes a bounded time.
-- $1 text[] locales
select k.n::int, c.pages::int
  from unnest($1::text[]) with ordinality as k (locale, n)
 cross join lateral (select count(*) as pages
                       from (select from guest.page p where p.locale = k.locale and p.ns = 'main' limit 100001) as counted) as c;
