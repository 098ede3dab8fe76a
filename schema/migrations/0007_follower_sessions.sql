-- The session that a follower has as long as it lives. If the session has ended, another follower need not wait for the end
-- of the lease. Null: a pooler may share the session, or it is that of the embedded database. (D91)
alter table wiki.live_follower add column session text;
