-- The inbox tells the host of erasures, and lists find them. Older releases neither add rows nor hand them over.
-- oldest-compatible: 3

-- One row for each application that was erased while the inbox was on. It stays, because it says when the host knew.
create table ph_inbox_erasure (
  application_id    text    not null primary key,
  key_id            text    not null,
  at                integer not null,
  failures          integer not null default 0,
  first_failure_at  integer,
  -- When it is handed over next. A parked erasure has an instant that never comes.
  retry_at          integer not null,
  parked_at         integer,
  last_error        text,
  -- Null until the host has received it.
  received_at       integer
) strict, without rowid;

create index ph_inbox_erasure_due on ph_inbox_erasure (retry_at, key_id, at, application_id) where received_at is null;
create index ph_inbox_erasure_key on ph_inbox_erasure (key_id, retry_at, application_id) where received_at is null;

-- Finds erased applications, oldest erasure first.
create index ph_application_erased on ph_application (erased_at, id) where erased_at is not null;
