-- Links between pages, by locale and path of the page that the list shows. (D103)

-- name: links_to
-- Pages that link to a path. A row for each key whose page exists, or to which a page links. One index range for each
-- namespace: with a condition on the namespace alone, a list of templates would read all other links first.
-- $1 text[] locales, $2 text[] paths, $3 text[] namespaces of the pages with the links, null for all, $4 text[] locales
-- and $5 text[] paths to start after, $6 int[] rows
-- plan: 400 | the first part of 20,000 links to a page | '{en}', '{"page 010001"}', '{NULL}', '{""}', '{""}', '{51}'
-- plan: 1400 | a part from their middle | '{en}', '{"page 010001"}', '{NULL}', '{ru}', '{"page 01"}', '{201}'
-- plan: 300 | the templates of them | '{en}', '{"page 010001"}', '{template}', '{""}', '{""}', '{51}'
-- plan: 100 | links to a page that does not exist | '{en}', '{"wanted 7"}', '{NULL}', '{""}', '{""}', '{51}'
select k.n::int, found.list
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[]) with ordinality
       as k (locale, path, ns, after_locale, after_path, first, n)
 cross join lateral (
       select json_agg(json_build_array(b.page_locale, b.page_ns, b.page_path, p.id::text, p.title, b.is_redirect)
                order by b.page_locale, b.page_path) as list
         from (select l.page_id, l.page_locale, l.page_ns, l.page_path, l.is_redirect
                 from unnest(array['main', 'template', 'page_template', 'module']) as s (ns)
                cross join lateral (
                      select t.page_id, t.page_locale, t.page_ns, t.page_path, t.is_redirect
                        from guest.link t
                       where t.locale = k.locale and t.path = k.path and t.page_ns = s.ns and t.is_first
                         and (t.page_locale, t.page_path) > (k.after_locale, k.after_path)
                       order by t.page_locale, t.page_path
                       limit k.first) l
                where k.ns is null or s.ns = k.ns
                order by l.page_locale, l.page_path
                limit k.first) b
         join guest.page p on p.id = b.page_id) found
 where found.list is not null
    or exists (select from guest.page p where p.locale = k.locale and p.path = k.path)
    or exists (select from guest.link t where t.locale = k.locale and t.path = k.path and t.is_first);

-- name: links_from
-- Pages to which a page links, with those that do not exist. A row for each page that exists.
-- $1 text[] locales, $2 text[] paths, $3 text[] namespaces of the targets, null for all, $4 text[] locales and
-- $5 text[] paths to start after, $6 int[] rows
-- plan: 500 | links of a page | '{en}', '{"page 010001"}', '{NULL}', '{""}', '{""}', '{51}'
select k.n::int, found.list
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[]) with ordinality
       as k (locale, path, ns, after_locale, after_path, first, n)
  join guest.page f on f.locale = k.locale and f.path = k.path
 cross join lateral (
       select json_agg(json_build_array(t.locale, t.ns, t.path, p.id::text, p.title,
                         exists (select from guest.link r where r.page_id = p.id and r.is_redirect))
                order by t.locale, t.path) as list
         from (select l.locale, l.path, n.ns
                 from guest.link l
                cross join lateral (
                      select coalesce(substring(l.path from '^(template|page_template|module|category):'), 'main')
                             as ns) n
                where l.page_id = f.id and l.is_first and (k.ns is null or n.ns = k.ns)
                  and (l.locale, l.path) > (k.after_locale, k.after_path)
                order by l.locale, l.path
                limit k.first) t
         left join guest.page p on p.locale = t.locale and p.path = t.path) found;

-- name: pages_by_name
-- The pages to which links by name lead. A row for each name that a page has. (D124)
-- $1 text[] locales, $2 text[] names as written, $3 text[] names as title keys
-- plan: 60 | a path, the end of a path and a name without a page | '{en,en,en}', '{"page 010001","end 9",x}', '{"page 010001","end 9",x}'
select k.n::int, f.locale, f.path
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (locale, name, key, n)
 cross join lateral guest.page_of_name(k.locale, k.name, k.key) f;
