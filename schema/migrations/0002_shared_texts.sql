-- Long texts of a page that differ little are stored once, and of each further one only what differs. Guests see each of the
-- stored texts as a whole: it is that of a visible revision. When the revision is hidden, changed or deleted, the row is
-- deleted at the end of the same transaction, and the others get their texts.
select wiki.drop_guest_views();

create table wiki.live_shared_text (
  id uuid primary key,
  -- The revision whose text it is.
  revision_id uuid not null,
  -- UTF-8: of bytes, PostgreSQL reads a part without counting characters.
  text bytea not null
);

do $$
begin
  alter table wiki.live_shared_text alter text set compression lz4;
exception when feature_not_supported then
  null; -- this server was built without lz4
end $$;

-- The text of such a revision: `base_start` bytes of the beginning of a shared text, `markdown`, and `base_end` bytes of its
-- end. Null: it is `markdown`.
alter table wiki.revision add base_id uuid, add base_start int, add base_end int;

create index revision_visible_base on wiki.revision_visible (base_id) where base_id is not null;
create index revision_hidden_base on wiki.revision_hidden (base_id) where base_id is not null;

create function wiki.whole_text(base_id uuid, base_start int, base_end int, markdown text) returns text
language sql stable as $$
  select case when base_id is null then markdown
              else (select convert_from(substr(b.text, 1, base_start) || convert_to(markdown, 'UTF8')
                                        || substr(b.text, length(b.text) - base_end + 1), 'UTF8')
                      from wiki.live_shared_text b where b.id = base_id) end
$$;

revoke all on function wiki.whole_text(uuid, int, int, text) from public;
