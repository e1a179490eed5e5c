-- The host's acts, the operations of its workers, and their counts.

-- The audit: who did what, when, and to which objects. An entry has one row for each of its objects, so that a search for any
-- of them finds it. Row 0 is for the main object. Only this row has objects, count, filter and changes.
create table ph_audit (
  id           text    not null,
  number       integer not null,
  at           integer not null,
  actor_id     text    not null,
  actor_name   text,
  reason       text,
  -- Through which door the act came, such as console or api.
  door         text    not null,
  -- The name of the command, such as jobs.close.
  act          text    not null,
  object_kind  text    not null,
  object_id    text    not null,
  -- A JSON array of the objects to show: the first 20.
  objects      text    not null,
  key_id       text,
  -- Null unless the command was on many rows.
  count        integer,
  -- JSON objects, without personal data of candidates.
  filter       text,
  before       text,
  after        text,
  primary key (id, number)
) strict;

create index ph_audit_newest on ph_audit (at, id) where number = 0;
create index ph_audit_actor on ph_audit (actor_id, at, id) where number = 0;
create index ph_audit_act on ph_audit (act, at, id) where number = 0;
create index ph_audit_object on ph_audit (object_kind, object_id, at, id);

-- Commands on many rows, which the worker runs in steps. The changes and the progress of a step commit together.
create table ph_operation (
  id           text    not null primary key,
  -- A JSON object: the kind of the operation, with its filter.
  plan         text    not null,
  -- A JSON object: who started the operation. Null means the host.
  started_by   text,
  state        text    not null check (state in ('running', 'done', 'held', 'stopped', 'failed')),
  -- JSON: where the next step starts; null before the first step and after the last one.
  position     text,
  done         integer not null,
  skipped      integer not null,
  -- Null if the number of items is unknown until the end.
  total        integer,
  -- A JSON object: how many objects a bulk operation could not change, and the first of them. Null for other operations.
  failed       text,
  -- A JSON object: the counts of a sync of jobs. Null for other operations.
  sync         text,
  -- Steps that failed in a row.
  failures     integer not null,
  last_error   text,
  created_at   integer not null,
  -- When the next step may run. For a sync of jobs, when its lease ends.
  due_at       integer not null,
  updated_at   integer not null,
  finished_at  integer,
  check ((state = 'running') = (finished_at is null))
) strict;

-- The table has few rows, so a list by state reads this range and filters it.
create index ph_operation_newest on ph_operation (created_at, id);
create index ph_operation_due on ph_operation (due_at, id) where state = 'running';
create index ph_operation_finished on ph_operation (finished_at) where finished_at is not null;

-- The input of an operation's steps. Each step deletes its own input. A sync of jobs also keeps its refused rows here.
create table ph_operation_input (
  operation_id  text    not null references ph_operation (id) on delete cascade,
  number        integer not null,
  -- A JSON array.
  input         text    not null,
  primary key (operation_id, number)
) strict, without rowid;

-- The state of the syncs of jobs: one row.
create table ph_job_sync (
  name          text    not null primary key check (name = 'jobs'),
  -- The last run.
  operation_id  text,
  -- When a worker begins its next run. Null if no worker has a source.
  due_at        integer,
  -- How many missing jobs the next run may close beyond its limit.
  apply_up_to   integer,
  -- 1 if the last run that read the whole source ended as held.
  is_held       integer not null check (is_held in (0, 1)),
  -- Failed runs in a row.
  failures      integer not null default 0,
  -- When the last run that read the whole source ended or, before the first one, when the first run began.
  good_at       integer,
  -- Rows that this run refused, and missing jobs that it held back.
  refused_rows  integer not null default 0,
  held_jobs     integer not null default 0,
  -- Since when each such run has refused rows, and was held.
  refused_at    integer,
  held_at       integer
) strict, without rowid;

-- The jobs that the last held sync has kept open. Removed when a later one has read the whole source.
create table ph_held_job (
  company_id  text not null,
  job_id      text not null,
  primary key (company_id, job_id)
) strict, without rowid;

-- The number of requests in each minute of each bucket.
create table ph_rate_window (
  window_start  integer not null,
  bucket_id     text    not null,
  count         integer not null,
  primary key (window_start, bucket_id)
) strict, without rowid;

-- Requests of partners: each POST and each error answer. Holds no personal data.
create table ph_request (
  request_id      text    not null primary key,
  at              integer not null,
  is_error        integer not null check (is_error in (0, 1)),
  -- Null without a valid key.
  key_id          text,
  -- Without a key, a hash of the client's address with a secret of the process.
  client          text,
  method          text    not null,
  -- Without the base path; null if the path is no route.
  route           text,
  status          integer not null,
  code            text,
  -- A JSON array of field names, with their codes.
  fields          text    not null,
  duration_ms     integer not null,
  application_id  text,
  -- The job of a refused submission, which may not exist. Null unless it has the form of an id.
  job_id          text,
  is_replay       integer not null check (is_replay in (0, 1)),
  -- More than 1 if the row stands for many requests of a flood. The last of them was at last_at.
  count           integer not null,
  last_at         integer not null
) strict;

create index ph_request_newest on ph_request (is_error, at, request_id);
create index ph_request_key_newest on ph_request (key_id, is_error, at, request_id) where key_id is not null;
create index ph_request_application on ph_request (application_id, is_error, at, request_id)
  where application_id is not null;
create index ph_request_job on ph_request (job_id, is_error, at, request_id) where job_id is not null;
-- A success has no code, so it costs nothing here.
create index ph_request_code on ph_request (code, is_error, at, request_id) where code is not null;

-- Successful reads: one row for each key, route and minute.
create table ph_request_read (
  key_id           text    not null,
  route            text    not null,
  minute           integer not null,
  count            integer not null,
  last_at          integer not null,
  -- The minute again, for the sweep's index. With an index on minute itself, a search for the last reads of a key could use it
  -- and read those of all keys.
  sweep_at         integer not null,
  last_request_id  text    not null,
  -- If a list without filters was read: the reads contained each change after read_after, up to read_through.
  read_after       integer,
  read_through     integer,
  primary key (key_id, route, minute)
) strict, without rowid;

create index ph_request_read_sweep on ph_request_read (sweep_at);

-- What each key has proved for its go-live: one row for each key and name. Holds no personal data. Kept with the key.
create table ph_readiness (
  key_id    text not null,
  -- An item of the checklist, `failed_` and an item, `succeeded` or `probed`.
  name      text not null,
  first_at  integer not null,
  -- The id of a request or an event.
  first_id  text not null,
  last_at   integer not null,
  last_id   text not null,
  -- Why the last probe failed. Null in all other rows.
  fault     text,
  primary key (key_id, name)
) strict, without rowid;

-- The deployment that the database belongs to, and where it was named. Empty if it has no name. Processes of other deployments,
-- and at other places, send nothing outside.
create table ph_deployment (
  id        integer not null primary key check (id = 1),
  name      text    not null,
  named_at  integer not null,
  -- On a server, its system and the database. Of a file, its path.
  place     text    not null,
  -- The inode of a file. Null on a server.
  inode     text
) strict;

-- One row for each started worker. Holds no personal data. A worker deletes its row when it stops.
create table ph_worker (
  id            text    not null primary key,
  -- The name of its host.
  name          text    not null,
  pid           integer not null,
  release       text    not null,
  -- The deployment of its process. Null if it has none.
  deployment    text,
  started_at    integer not null,
  last_seen_at  integer not null,
  -- When its last sweep ended.
  swept_at      integer,
  -- When the worker wakes, if it sleeps because nothing is due.
  sleeps_until  integer,
  -- JSON: the ids of the sealing keys that it knows, and since when it cannot open a signing secret.
  sealing       text
) strict, without rowid;

create index ph_worker_last_seen on ph_worker (last_seen_at, id);

-- The number of requests and delivery attempts in each hour. A process adds to the counts about once a second or less often.
create table ph_hour_count (
  kind    text    not null check (kind in ('request', 'answer', 'field', 'attempt', 'latency')),
  -- An environment for the sum of its keys; empty for the sum of all keys.
  key_id  text    not null,
  -- The start of the hour.
  hour    integer not null,
  -- The HTTP status of requests; the error code of answers to keys, or `OK`; the name of refused fields; `succeeded` or
  -- `failed` of attempts; and the most milliseconds of successful ones.
  name    text    not null,
  count   integer not null,
  primary key (kind, key_id, hour, name)
) strict, without rowid;

create index ph_hour_count_sweep on ph_hour_count (hour);
