-- What is known of a followed source: what it was at its last import, and how its follower fares. (D91)
alter table wiki.source
  -- What the source says of itself after an import, so that the next import reads only what changed.
  add column state jsonb,
  -- A text that changes when the source changes, such as the hash of a commit.
  add column version text,
  -- Who follows the source, and until when; the follower renews it.
  add column follower uuid,
  add column followed_until timestamptz,
  -- When the follower last found that the database has what the source has.
  add column checked_at timestamptz,
  -- The first failure since then, and what failed last.
  add column failing_since timestamptz,
  add column failure text;

-- Paths that live pages had before they moved. (D91)
create table wiki.live_former_path (
  locale text collate "C" not null,
  path text collate "C" not null,
  page_id bigint not null references wiki.live_page (id) on delete cascade,
  primary key (locale, path)
);
create index live_former_path_page on wiki.live_former_path (page_id);
