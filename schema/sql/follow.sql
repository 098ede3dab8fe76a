-- Statements of followers, and of those who watch them. (D91)

-- name: source_version
-- $1 text name
select s.version
  from wiki.source s
 where s.name = $1;

-- name: take_source
-- Makes this follower the one of a source, unless another one is, and for so long. Returns nothing if another one is.
-- $1 text name, $2 uuid follower, $3 float8 seconds
update wiki.source s
   set follower = $2, followed_until = clock_timestamp() + make_interval(secs => $3::float8)
 where s.name = $1
   and (s.follower is null or s.follower = $2 or s.followed_until < clock_timestamp())
returning s.version;

-- name: release_source
-- $1 text name, $2 uuid follower
update wiki.source s
   set follower = null, followed_until = null, failing_since = null, failure = null
 where s.name = $1 and s.follower = $2;

-- name: mark_source_checked
-- The source is as it was at its last import.
-- $1 text name
update wiki.source s
   set checked_at = clock_timestamp(), failing_since = null, failure = null
 where s.name = $1;

-- name: mark_source_failed
-- $1 text name, $2 text message
update wiki.source s
   set failing_since = coalesce(s.failing_since, clock_timestamp()), failure = $2
 where s.name = $1;

-- name: followed_sources
-- How many seconds ago each followed source was last checked, since how many seconds it fails (null for never), and
-- whether its follower is alive.
select s.name, extract(epoch from clock_timestamp() - s.checked_at)::float8 as "checkedAgo",
       extract(epoch from clock_timestamp() - s.failing_since)::float8 as "failingFor",
       s.followed_until > clock_timestamp() as "isFollowed"
  from guest.followed_source s
 order by s.name;

-- name: source_failures
-- What failed last, for the owner of the database.
select s.name, s.failure
  from wiki.source s
 where s.follower is not null and s.failure is not null
 order by s.name;
