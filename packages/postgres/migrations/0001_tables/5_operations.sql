-- The host's acts, the operations of its workers, and their counts.

-- The audit: who did what, when, and to which objects. An entry has one row for each of its objects, so that a search for any
-- of them finds it. Row 0 is for the main object. Only this row has objects, count, filter and changes.
create table ph_audit (
  id           text    collate "C" not null,
  number       bigint  not null,
  at           bigint  not null,
  actor_id     text    collate "C" not null,
  actor_name   text,
  reason       text,
  -- Through which door the act came, such as console or api.
  door         text not null,
  -- The name of the command, such as jobs.close.
  act          text    collate "C" not null,
  object_kind  text    collate "C" not null,
  object_id    text    collate "C" not null,
  -- A JSON array of the objects to show: the first 20.
  objects      text    not null,
  key_id       text    collate "C",
  -- Null unless the command was on many rows.
  count        bigint,
  -- JSON objects, without personal data of candidates.
  filter       text,
  before       text,
  after        text,
  primary key (id, number)
);

create index ph_audit_newest on ph_audit (at, id) where number = 0;
create index ph_audit_actor on ph_audit (actor_id, at, id) where number = 0;
create index ph_audit_act on ph_audit (act, at, id) where number = 0;
create index ph_audit_object on ph_audit (object_kind, object_id, at, id);

-- Commands on many rows, which the worker runs in steps. The changes and the progress of a step commit together.
create table ph_operation (
  id           text    collate "C" not null primary key,
  -- A JSON object: the kind of the operation, with its filter.
  plan         text    not null,
  -- A JSON object: who started the operation. Null means the host.
  started_by   text,
  state        text    collate "C" not null check (state in ('running', 'done', 'held', 'stopped', 'failed')),
  -- JSON: where the next step starts; null before the first step and after the last one.
  position     text,
  done         bigint  not null,
  skipped      bigint  not null,
  -- Null if the number of items is unknown until the end.
  total        bigint,
  -- A JSON object: how many objects a bulk operation could not change, and the first of them. Null for other operations.
  failed       text,
  -- A JSON object: the counts of a sync of jobs. Null for other operations.
  sync         text,
  -- Steps that failed in a row.
  failures     bigint  not null,
  last_error   text,
  created_at   bigint  not null,
  -- When the next step may run. For a sync of jobs, when its lease ends.
  due_at       bigint  not null,
  updated_at   bigint  not null,
  finished_at  bigint,
  check ((state = 'running') = (finished_at is null))
) with (fillfactor = 50);

-- The table has few rows, so a list by state reads this range and filters it.
create index ph_operation_newest on ph_operation (created_at, id);
create index ph_operation_due on ph_operation (due_at, id) where state = 'running';
create index ph_operation_finished on ph_operation (finished_at) where finished_at is not null;

-- The input of an operation's steps. Each step deletes its own input. A sync of jobs also keeps its refused rows here.
create table ph_operation_input (
  operation_id  text    collate "C" not null references ph_operation (id) on delete cascade,
  number        bigint  not null,
  -- A JSON array.
  input         text    not null,
  primary key (operation_id, number)
);

-- The state of the syncs of jobs: one row.
create table ph_job_sync (
  name          text     collate "C" not null primary key check (name = 'jobs'),
  -- The last run.
  operation_id  text     collate "C",
  -- When a worker begins its next run. Null if no worker has a source.
  due_at        bigint,
  -- How many missing jobs the next run may close beyond its limit.
  apply_up_to   bigint,
  -- 1 if the last run that read the whole source ended as held.
  is_held       smallint not null check (is_held in (0, 1)),
  -- Failed runs in a row.
  failures      integer  not null default 0,
  -- When the last run that read the whole source ended or, before the first one, when the first run began.
  good_at       bigint,
  -- Rows that this run refused, and missing jobs that it held back.
  refused_rows  integer  not null default 0,
  held_jobs     integer  not null default 0,
  -- Since when each such run has refused rows, and was held.
  refused_at    bigint,
  held_at       bigint
) with (fillfactor = 50);

-- The jobs that the last held sync has kept open. Removed when a later one has read the whole source.
create table ph_held_job (
  company_id  text collate "C" not null,
  job_id      text collate "C" not null,
  primary key (company_id, job_id)
);

-- The number of requests in each minute of each bucket. Each minute has its own row. Old versions of a row stay while an old
-- snapshot is open, and a counting request then reads only the versions of its own minute.
create table ph_rate_window (
  window_start  bigint  not null,
  bucket_id     text    collate "C" not null,
  count         bigint  not null,
  primary key (window_start, bucket_id)
) with (fillfactor = 50);

-- Requests of partners: each POST and each error answer. Holds no personal data.
create table ph_request (
  request_id      text     collate "C" not null primary key,
  at              bigint   not null,
  is_error        smallint not null check (is_error in (0, 1)),
  -- Null without a valid key.
  key_id          text     collate "C",
  -- Without a key, a hash of the client's address with a secret of the process.
  client          text     collate "C",
  method          text     collate "C" not null,
  -- Without the base path; null if the path is no route.
  route           text     collate "C",
  status          bigint   not null,
  code            text     collate "C",
  -- A JSON array of field names, with their codes.
  fields          text     not null,
  duration_ms     bigint   not null,
  application_id  text     collate "C",
  -- The job of a refused submission, which may not exist. Null unless it has the form of an id.
  job_id          text     collate "C",
  is_replay       smallint not null check (is_replay in (0, 1)),
  -- More than 1 if the row stands for many requests of a flood. The last of them was at last_at.
  count           bigint   not null,
  last_at         bigint   not null
);

create index ph_request_newest on ph_request (is_error, at, request_id);
create index ph_request_key_newest on ph_request (key_id, is_error, at, request_id) where key_id is not null;
create index ph_request_application on ph_request (application_id, is_error, at, request_id)
  where application_id is not null;
create index ph_request_job on ph_request (job_id, is_error, at, request_id) where job_id is not null;
-- A success has no code, so it costs nothing here.
create index ph_request_code on ph_request (code, is_error, at, request_id) where code is not null;

-- Successful reads: one row for each key, route and minute.
create table ph_request_read (
  key_id           text    collate "C" not null,
  route            text    collate "C" not null,
  minute           bigint  not null,
  count            bigint  not null,
  last_at          bigint  not null,
  -- The minute again, for the sweep's index. With an index on minute itself, a search for the last reads of a key could use it
  -- and read those of all keys.
  sweep_at         bigint  not null,
  last_request_id  text    collate "C" not null,
  -- If a list without filters was read: the reads contained each change after read_after, up to read_through.
  read_after       bigint,
  read_through     bigint,
  primary key (key_id, route, minute)
) with (fillfactor = 80);

create index ph_request_read_sweep on ph_request_read (sweep_at);

-- What each key has proved for its go-live: one row for each key and name. Holds no personal data. Kept with the key.
create table ph_readiness (
  key_id    text collate "C" not null,
  -- An item of the checklist, `failed_` and an item, `succeeded` or `probed`.
  name      text collate "C" not null,
  first_at  bigint           not null,
  -- The id of a request or an event.
  first_id  text collate "C" not null,
  last_at   bigint           not null,
  last_id   text collate "C" not null,
  -- Why the last probe failed. Null in all other rows.
  fault     text collate "C",
  primary key (key_id, name)
) with (fillfactor = 80);

-- The deployment that the database belongs to, and where it was named. Empty if it has no name. Processes of other deployments,
-- and at other places, send nothing outside.
create table ph_deployment (
  id        integer not null primary key check (id = 1),
  name      text    collate "C" not null,
  named_at  bigint  not null,
  -- On a server, its system and the database. Of a file, its path.
  place     text    collate "C" not null,
  -- The inode of a file. Null on a server.
  inode     text    collate "C"
);

-- One row for each started worker. Holds no personal data. A worker deletes its row when it stops.
create table ph_worker (
  id            text    collate "C" not null primary key,
  -- The name of its host.
  name          text    not null,
  pid           bigint  not null,
  release       text    collate "C" not null,
  -- The deployment of its process. Null if it has none.
  deployment    text    collate "C",
  started_at    bigint  not null,
  last_seen_at  bigint  not null,
  -- When its last sweep ended.
  swept_at      bigint,
  -- When the worker wakes, if it sleeps because nothing is due.
  sleeps_until  bigint,
  -- JSON: the ids of the sealing keys that it knows, and since when it cannot open a signing secret.
  sealing       text
);

create index ph_worker_last_seen on ph_worker (last_seen_at, id);

-- The number of requests and delivery attempts in each hour. A process adds to the counts about once a second or less often.
create table ph_hour_count (
  kind    text    collate "C" not null check (kind in ('request', 'answer', 'field', 'attempt', 'latency')),
  -- An environment for the sum of its keys; empty for the sum of all keys.
  key_id  text    collate "C" not null,
  -- The start of the hour.
  hour    bigint  not null,
  -- The HTTP status of requests; the error code of answers to keys, or `OK`; the name of refused fields; `succeeded` or
  -- `failed` of attempts; and the most milliseconds of successful ones.
  name    text    collate "C" not null,
  count   bigint  not null,
  primary key (kind, key_id, hour, name)
) with (fillfactor = 80);

create index ph_hour_count_sweep on ph_hour_count (hour);

-- The schemas of a storage. The first schema has one row for each. With one schema, empty. Holds no personal data.
create table ph_cell (
  -- The name of the schema.
  name       text    collate "C" not null primary key,
  added_at   bigint  not null,
  -- Null while the schema may lack companies and jobs. No partner is then added or moved to it.
  opened_at  bigint,
  -- How many partners have moved out of the schema. A list over all schemas reads this before and after, to notice a move.
  moves      bigint  not null default 0
) with (fillfactor = 80);
