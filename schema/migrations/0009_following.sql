-- What a source was at its last import. (D91)
alter table wiki.source
  -- What the source says of itself after an import, so that the next import reads only what changed.
  add column state jsonb,
  -- A text that changes when the source changes, such as the hash of a commit.
  add column version text;

-- The followers of sources. A source has at most one. (D91)
create table wiki.live_follower (
  source_id int primary key references wiki.source (id) on delete cascade,
  -- Name of the source.
  name text collate "C" not null,
  -- Which process it is, and until when; it renews this.
  follower uuid not null,
  followed_until timestamptz not null,
  -- When it last found that the database has what the source has.
  checked_at timestamptz,
  -- The first failure since then, and what failed last.
  failing_since timestamptz,
  failure text
);

-- Paths that live pages had before they moved. (D91)
create table wiki.live_former_path (
  locale text collate "C" not null,
  path text collate "C" not null,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  primary key (locale, path)
);
create index live_former_path_page on wiki.live_former_path (page_id);
