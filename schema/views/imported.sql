-- What guests see of an imported wiki. Each of these views shows a table of visible rows as a whole: no filter stands
-- between a guest's query and a hidden row, because the row is not there. (D3)

create view guest.locale as
select locale, name, search_config
  from wiki.locale;

create view guest.category as
select locale, key, name
  from wiki.category;

create view guest.page as
select id, locale, ns, path, title, translation_group, revision_id, revision_created_at, revision_author, dialect
  from wiki.live_page;

-- A shared text is that of a visible revision.
create view guest.revision as
select r.id, r.page_id, r.locale, r.created_at, r.author, r.comment, r.size,
       case when r.base_id is null then r.markdown
            else (select convert_from(substr(b.text, 1, r.base_start) || convert_to(r.markdown, 'UTF8')
                                      || substr(b.text, length(b.text) - r.base_end + 1), 'UTF8')
                    from wiki.live_shared_text b where b.id = r.base_id) end as markdown
  from wiki.revision_visible r;

create view guest.former_path as
select locale, path, page_id
  from wiki.live_former_path;

create view guest.page_change as
select page_id, change, locale, ns
  from wiki.live_change;

create view guest.tombstone as
select locale, path, ns, change
  from wiki.tombstone;

create view guest.position as
select position, created_at, revision_id
  from wiki.live_position;

create view guest.category_member as
select locale, key, sort_key, path, page_id, ns, title, revision_id, revision_created_at, revision_author, name
  from wiki.live_category_member;

create view guest.live_category as
select locale, key, pages
  from wiki.live_category;

create view guest.search as
select page_id, locale, score, index_version, config, title_key, path_key, words, starts, body, length
  from wiki.live_search;

create view guest.search_hot_set as
select page_id, locale, score, title_key, words
  from wiki.search_hot_set;

create view guest.page_name as
select page_id, locale, key, is_alias
  from wiki.live_name;

create view guest.link as
select page_id, key, locale, path, is_first, is_redirect, page_locale, page_ns, page_path
  from wiki.live_link;

create view guest.file as
select id, locale, path, blob_id, sha256, media_type, media_kind, bytes, width, height, modified_at, author
  from wiki.live_file;

create view guest.file_use as
select page_id, reference, file_id, page_locale, page_path
  from wiki.live_file_use;

create view guest.file_part as
select blob_id, part, data
  from wiki.live_blob_part;
