-- Statements of followers, and of those who watch them. (D91)

-- name: source_version
-- $1 text name
-- null: version
select s.version
  from wiki.source s
 where s.name = $1;

-- name: unfollowed_sources
-- Sources that a process followed at their last import, and that no process follows now. The version that a follower stores
-- begins with twelve characters, a space, the location and the end of a line.
select s.name, split_part(substr(s.version, 14), e'\n', 1) as location
  from wiki.source s
 where s.version like e'%\n%'
   and not exists (select from wiki.live_follower f where f.source_id = s.id and f.followed_until > clock_timestamp())
 order by s.name;

-- name: own_session
-- This session, as `take_source` recognizes it. No row if something shares it, which the server sees at another port, or in
-- the embedded database.
-- $1 int4 port of the client; null for a Unix socket
-- null: session
select a.pid || ' ' || extract(epoch from a.backend_start) as session
  from pg_stat_activity a
 where a.pid = pg_backend_pid() and inet_client_port() is not distinct from $1::int4;

-- name: take_source
-- Makes this follower the one of a source, for so long, unless another one is: its lease has not ended, and, as far as its
-- session is known, neither has that. A login that may not see when a session began takes it for the same.
-- $1 text name, $2 uuid follower, $3 float8 seconds, $4 text session
-- null: version, leaseSeconds
with source as (
  -- No version: a page appears or disappears without a change.
  select s.id, s.name,
         case when (s.state ->> 'due')::float8 / 1000 <= extract(epoch from clock_timestamp()) then null else s.version end as version
    from wiki.source s where s.name = $1
), taken as (
  insert into wiki.live_follower as f (source_id, name, follower, followed_until, session)
  select s.id, s.name, $2::uuid, clock_timestamp() + make_interval(secs => $3::float8), $4::text from source s
  on conflict (source_id) do update
    set follower = excluded.follower, followed_until = excluded.followed_until, session = excluded.session
    where f.follower = excluded.follower or f.followed_until < clock_timestamp()
       or (f.session is not null and not exists (
             select from pg_stat_activity a
              where a.pid::text = split_part(f.session, ' ', 1)
                and coalesce(a.pid || ' ' || extract(epoch from a.backend_start), f.session) = f.session))
  returning source_id
)
select s.version, t.source_id is not null as "isTaken", f.failure is not null as "isFailing",
       extract(epoch from f.followed_until - clock_timestamp())::float8 as "leaseSeconds"
  from source s
  left join taken t on t.source_id = s.id
  left join wiki.live_follower f on f.source_id = s.id;

-- name: release_source
-- The source stays in `followed_sources`, until it is imported without a follower.
-- $1 text name, $2 uuid follower
update wiki.live_follower f
   set followed_until = clock_timestamp(), session = null, failing_since = null, failure = null
 where f.name = $1 and f.follower = $2;

-- name: mark_source_checked
-- The source is as it was at its last import.
-- $1 text name
update wiki.live_follower f
   set checked_at = clock_timestamp(), failing_since = null, failure = null
 where f.name = $1;

-- name: mark_source_failed
-- $1 text name, $2 text message
update wiki.live_follower f
   set failing_since = coalesce(f.failing_since, clock_timestamp()), failure = $2
 where f.name = $1;

-- name: followed_sources
-- How many seconds ago each followed source was last checked, since how many seconds it fails (null for never), and how
-- many seconds ago its follower ended (null: it is alive).
-- null: checkedAgo, failingFor, endedAgo
select s.name, extract(epoch from clock_timestamp() - s.checked_at)::float8 as "checkedAgo",
       extract(epoch from clock_timestamp() - s.failing_since)::float8 as "failingFor",
       case when s.followed_until <= clock_timestamp()
            then extract(epoch from clock_timestamp() - s.followed_until)::float8 end as "endedAgo"
  from guest.followed_source s
 order by s.name;

-- name: source_failures
-- What failed last, for the owner of the database.
-- null: failure
select f.name, f.failure
  from wiki.live_follower f
 where f.failure is not null
 order by f.name;
