-- Titles that begin with what somebody types. (D105)

-- name: suggest_titles
-- Pages whose title or alias is a text, then those whose title begins with it, then an alias, by score. The hot set comes
-- first, as in a search: a page outside it has a lower score than all in it. Then the first titles of all are read, in the
-- order of the index.
-- `name` is the title that matches, if one does: a redirect stands for its target.
-- $1 text locale, $2 text title key, $3 text beginning of a title key, $4 int rows, $5 int titles that are read
-- plan: 500 | a letter with which 1,000 titles begin | 'en', 'c', 'c', 20, 400
-- plan: 300 | a whole title | 'en', 'c title 12', 'c title 12', 20, 400
-- plan: 300 | the beginning of 50 aliases | 'en', 'end 1', 'end 1', 20, 40
with equal as materialized (
  select s.page_id, s.score, length(s.title_key) as length
    from (select e.page_id, e.title_key, e.score, false as is_alias
            from guest.search e
           where e.locale = $1 and e.title_key = $2
           union all
          select e.page_id, e.title_key, e.score, true
            from guest.page_name n
            join guest.search e on e.page_id = n.page_id
           where n.locale = $1 and n.key = $2 and n.is_alias and n.key <> e.title_key) s
   order by s.is_alias, s.score desc, s.page_id
   limit $4
), hot as materialized (
  select h.page_id, h.score, length(h.title_key) as length
    from guest.search_hot_set h
   where h.locale = $1 and h.title_key >= $3::text and h.title_key < $3::text || chr(1114111)
   order by h.score desc, length(h.title_key), h.page_id
   limit $4
), others as materialized (
  select b.page_id, b.score, length(b.title_key) as length
    from (select s.page_id, s.score, s.title_key
            from guest.search s
           where s.locale = $1 and s.title_key >= $3::text and s.title_key < $3::text || chr(1114111)
             and (select count(*) from hot) < $4
           order by s.title_key
           limit $5) b
   order by b.score desc, length(b.title_key), b.page_id
   limit $4
), named as materialized (
  select a.page_id, s.score, length(s.title_key) as length
    from (select n.page_id
            from guest.page_name n
           where n.locale = $1 and n.key >= $3::text and n.key < $3::text || chr(1114111) and n.is_alias
             and (select count(*) from hot) + (select count(*) from others) < $4
           order by n.key
           limit $4) a
    join guest.search s on s.page_id = a.page_id
), ranked as materialized (
  select f.page_id, min(f.tier) as tier, f.score, f.length
    from (select 0 as tier, e.page_id, e.score, e.length from equal e
           union all
          select 1, h.page_id, h.score, h.length from hot h
           union all
          select 1, o.page_id, o.score, o.length from others o
           union all
          select 2, n.page_id, n.score, n.length from named n) f
   group by f.page_id, f.score, f.length
   order by min(f.tier), f.score desc, f.length, f.page_id
   limit $4
)
select p.title as name, coalesce(t.id, p.id) as id, coalesce(t.locale, p.locale) as locale, coalesce(t.ns, p.ns) as ns,
       coalesce(t.path, p.path) as path, coalesce(t.title, p.title) as title
  from ranked r
  join guest.page p on p.id = r.page_id
  left join lateral (
       select g.id, g.locale, g.ns, g.path, g.title
         from guest.link l
         join guest.page g on g.locale = l.locale and g.path = l.path
        where l.page_id = p.id and l.is_redirect and g.ns <> 'category'
        limit 1) t on true
 order by r.tier, r.score desc, r.length, r.page_id;

-- name: suggest_titles_with_word
-- Pages whose title has a text at the beginning of a word, by score and place: those of the best pages with such words in the title.
-- A number inside another one comes last: `22` is the beginning of `22.4`, and only a part of `10.22`.
-- $1 text locale, $2 text beginning of words, $3 text beginning of titles that are known, $4 text query for pages with these
-- words in the title, $5 int rows, $6 int pages that are read
select p.title as name, coalesce(t.id, p.id) as id, coalesce(t.locale, p.locale) as locale, coalesce(t.ns, p.ns) as ns,
       coalesce(t.path, p.path) as path, coalesce(t.title, p.title) as title
  from (select b.page_id, b.score, w.place, length(s.title_key) as length,
               $2::text ~ '^[0-9]' and substr(s.title_key, w.place - 2, 1) ~ '[0-9]' as is_inside
          from guest.search_best($1, $4::text::tsquery, null, $6::int, $6::int, '{}') b
         cross join lateral (select x.title_key from guest.search x where x.page_id = b.page_id limit 1) s
         cross join lateral (select strpos(' ' || s.title_key || ' ', ' ' || $2::text) as place) w
         where w.place > 0 and not starts_with(s.title_key || ' ', $3::text)
         order by is_inside, b.score desc, w.place, length, b.page_id
         limit $5) r
  join guest.page p on p.id = r.page_id
  left join lateral (
       select g.id, g.locale, g.ns, g.path, g.title
         from guest.link l
         join guest.page g on g.locale = l.locale and g.path = l.path
        where l.page_id = p.id and l.is_redirect and g.ns <> 'category'
        limit 1) t on true
 order by r.is_inside, r.score desc, r.place, r.length, r.page_id;

-- name: suggest_similar_titles
-- Pages whose title begins with one of many texts, by score. If many titles begin with a text, those of the hot set count,
-- too. With a pattern, more titles are read that begin with the text, and those count that match the pattern.
-- (See guest.similar_titles.)
-- $1 text locale, $2 text[] beginnings of title keys, $3 text[] patterns, or null, $4 int rows, $5 int titles that are
-- read for a beginning, $6 int the same with a pattern
-- plan: 500 | titles that differ by a typo | 'en', '{"c titl","d title 1","x title 1"}', '{NULL,NULL,NULL}', 20, 20, 300
-- plan: 500 | titles that match a pattern | 'en', '{"c title 1"}', '{"c title 1__1%"}', 20, 20, 300
select p.title as name, coalesce(t.id, p.id) as id, coalesce(t.locale, p.locale) as locale, coalesce(t.ns, p.ns) as ns,
       coalesce(t.path, p.path) as path, coalesce(t.title, p.title) as title
  from guest.similar_titles($1::text, $2::text[], $3::text[], $4::int, $5::int, $6::int) r
  join guest.page p on p.id = r.page_id
  left join lateral (
       select g.id, g.locale, g.ns, g.path, g.title
         from guest.link l
         join guest.page g on g.locale = l.locale and g.path = l.path
        where l.page_id = p.id and l.is_redirect and g.ns <> 'category'
        limit 1) t on true
 order by r.score desc, r.length, r.page_id;
