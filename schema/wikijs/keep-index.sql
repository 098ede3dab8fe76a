-- Keeps what the former attachment has indexed, so that only pages with changed texts are indexed again.
with copied as (insert into wikijs.indexed_digest (page_id, title, digest)
                select page_id, title, digest from wikijs_before.indexed_digest)
insert into wikijs.to_index (page_id, due_at) select page_id, due_at from wikijs_before.to_index;
