-- Heartbeats of workers, and counts for each hour. Both tables are new and empty.
-- oldest-compatible: 3

-- One row for each started worker. Holds no personal data. A worker deletes its row when it stops.
create table ph_worker (
  id            text    not null primary key,
  -- The name of its host.
  name          text    not null,
  pid           integer not null,
  release       text    not null,
  started_at    integer not null,
  last_seen_at  integer not null,
  -- When its last sweep ended.
  swept_at      integer
) strict, without rowid;

create index ph_worker_last_seen on ph_worker (last_seen_at, id);

-- How many requests and attempts there were in each hour. Processes add to the counts about once a second or less often.
create table ph_hour_count (
  kind    text    not null check (kind in ('request', 'attempt')),
  -- Empty for the sum of all keys.
  key_id  text    not null,
  -- The start of the hour.
  hour    integer not null,
  -- Of requests the HTTP status; of attempts `succeeded` or `failed`.
  name    text    not null,
  count   integer not null,
  primary key (kind, key_id, hour, name)
) strict, without rowid;

create index ph_hour_count_sweep on ph_hour_count (hour);
