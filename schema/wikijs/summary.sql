-- What `lectern attach` tells: how many pages guests see, of how many; page rules that cannot be evaluated; and the settings
-- from which the addresses of pages follow.
select (select count(*)::int from wiki.live_page) as shown,
       (select count(*)::int from source.pages) as pages,
       array(select pattern from wikijs.rule where not is_certain order by position) as undecided,
       (select value ->> 'v' from source.settings where key = 'host') as host,
       coalesce((select value ->> 'namespacing' = 'true' from source.settings where key = 'lang'), false) as "byLocale";
