-- What all that writes stands in line by: the lock of this table, which stays empty. Advisory locks are
-- everybody's, so that who serves guests could keep imports waiting with one. (D81)
create table wiki.write_lock ();
