-- Numbers changes of pages whose versions or texts differ from those of the former attachment. The triggers that number
-- changes are created later, because they would number every page. (D100)
with now as (select id, page_id, locale, created_at, author, comment, size, format from wikijs.revision),
     before as (select id, page_id, locale, created_at, author, comment, size, format from wikijs_before.revision)
select wiki.mark_changed(array(
  select page_id
    from ((table wikijs.indexed_digest except table wikijs_before.indexed_digest)
          union all (table wikijs_before.indexed_digest except table wikijs.indexed_digest)) d
   union
  select l.id
    from (table wikijs_before.expiration except table wikijs.expiration) e
    join wiki.live_page p on p.id = e.page_id
    join wiki.live_page l on l.translation_group = p.translation_group
   union
  select page_id
    from ((table now except table before) union all (table before except table now)) v));
