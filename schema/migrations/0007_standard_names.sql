-- Standard names for tables and columns, and one definition of the views of schema `guest`: schema/views. From now
-- on `lectern migrate` and `lectern attach wikijs` create all of them, and migrations create none. (D84, D85)

-- Drops all views, functions and types of schema `guest`. A migration calls it before it locks or changes what the
-- views read, so that no statement of a guest holds one lock and waits for another; `lectern migrate` creates them
-- again in the same transaction.
create function wiki.drop_guest_views() returns void language plpgsql as $$
declare
  object text;
begin
  for object in select p.oid::regprocedure::text from pg_proc p where p.pronamespace = 'guest'::regnamespace loop
    execute 'drop function ' || object;
  end loop;
  for object in
    select c.oid::regclass::text from pg_class c where c.relnamespace = 'guest'::regnamespace and c.relkind = 'c'
  loop
    execute 'drop type ' || object;
  end loop;
  select string_agg(c.oid::regclass::text, ', ' order by c.relname) into object
    from pg_class c
   where c.relnamespace = 'guest'::regnamespace and c.relkind = 'v';
  if object is not null then
    execute 'drop view ' || object;
  end if;
end $$;

revoke all on function wiki.drop_guest_views from public;

select wiki.drop_guest_views();

-- The version of the search index in which all pages are indexed; 0: not all are.
alter table wiki.search_form rename to search_index_version;
alter table wiki.search_index_version rename form to index_version;
alter table wiki.search_index_version rename constraint search_form_pkey to search_index_version_pkey;
alter table wiki.search_index_version
  rename constraint search_form_only_row_check to search_index_version_only_row_check;

alter table wiki.live_search rename form to index_version;

-- The best pages of all by score and id, as far as wiki.hot_set_threshold says; empty in a wiki of few pages. (D64)
alter table wiki.live_search_top rename to search_hot_set;
alter table wiki.search_hot_set rename constraint live_search_top_pkey to search_hot_set_pkey;
alter table wiki.search_hot_set rename constraint live_search_top_page_id_fkey to search_hot_set_page_id_fkey;
alter index wiki.live_search_top_words rename to search_hot_set_words;

-- The last page of the hot set; no row where there is none.
alter table wiki.search_cut rename to hot_set_threshold;
alter table wiki.hot_set_threshold rename constraint search_cut_pkey to hot_set_threshold_pkey;
alter table wiki.hot_set_threshold rename constraint search_cut_only_row_check to hot_set_threshold_only_row_check;

-- The same for a Wiki.js that is attached: its tables, and its functions, whose text names them. Guests go on being
-- served, and edits in Wiki.js go on showing. Its attachment stays another version's, so that `lectern migrate` and
-- `lectern check` ask to attach again.
do $do$
declare
  existing record;
  definition text;
  renamed record;
begin
  if to_regclass('wikijs.attachment') is null then
    return;
  end if;
  alter table wikijs.attachment rename form to digest;
  alter table wikijs.closing rename to expiration;
  alter table wikijs.expiration rename closes_at to expires_at;
  alter table wikijs.boundary rename to schedule;
  alter table wikijs.told rename to indexed_digest;
  alter table wikijs.revision rename form to format;
  alter view wikijs.text rename column form to format;
  alter view wikijs.shown_page rename column form to format;
  alter view wikijs.shown_version rename column form to format;
  alter view wikijs.version rename column closes_at to expires_at;
  alter view wikijs.shown_page rename column closes_at to expires_at;
  alter view wikijs.shown_version rename column closes_at to expires_at;
  for existing in
    select oid, pg_get_functiondef(oid) as definition
      from pg_proc
     where pronamespace = 'wikijs'::regnamespace and prokind = 'f'
     order by oid
  loop
    definition := existing.definition;
    for renamed in
      select * from (values
        ('\mwikijs\.closing\M', 'wikijs.expiration'),
        ('\mwikijs\.boundary\M', 'wikijs.schedule'),
        ('\mwikijs\.told\M', 'wikijs.indexed_digest'),
        ('\mcloses_at\M', 'expires_at'),
        ('\mform\M', 'format')) as names (old, new)
    loop
      definition := regexp_replace(definition, renamed.old, renamed.new, 'g');
    end loop;
    if definition <> existing.definition then
      execute definition;
    end if;
  end loop;
end $do$;
