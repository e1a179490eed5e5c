-- The inbox tells the host of erasures. The table is new and empty. Older releases neither add rows nor hand them over.
-- oldest-compatible: 3

-- One row for each application that was erased while the inbox was on. It stays, because it says when the host knew.
create table ph_inbox_erasure (
  application_id    text    collate "C" not null primary key,
  key_id            text    collate "C" not null,
  at                bigint  not null,
  failures          bigint  not null default 0,
  first_failure_at  bigint,
  -- When it is handed over next. A parked erasure has an instant that never comes.
  retry_at          bigint  not null,
  parked_at         bigint,
  last_error        text,
  -- Null until the host has received it.
  received_at       bigint
) with (fillfactor = 70);

create index ph_inbox_erasure_due on ph_inbox_erasure (retry_at, key_id, at, application_id) where received_at is null;
create index ph_inbox_erasure_key on ph_inbox_erasure (key_id, retry_at, application_id) where received_at is null;
