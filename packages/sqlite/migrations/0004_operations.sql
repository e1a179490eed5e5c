-- Commands on many rows that the worker runs in steps: both tables are new and empty.
-- oldest-compatible: 1

-- An operation of the host. A step and its progress commit together.
create table ph_operation (
  id           text    not null primary key,
  -- A JSON object: the kind of the operation, with its filter.
  plan         text    not null,
  state        text    not null check (state in ('running', 'done', 'stopped', 'failed')),
  -- JSON: where the next step starts; null before the first step and after the last one.
  position     text,
  done         integer not null,
  skipped      integer not null,
  -- Null if the number of items is unknown until the end.
  total        integer,
  -- Steps that failed in a row.
  failures     integer not null,
  last_error   text,
  created_at   integer not null,
  -- When the next step may run.
  due_at       integer not null,
  updated_at   integer not null,
  finished_at  integer,
  check ((state = 'running') = (finished_at is null))
) strict;

-- Few rows are in the table, so a list by state filters this range.
create index ph_operation_newest on ph_operation (created_at, id);
create index ph_operation_due on ph_operation (due_at, id) where state = 'running';
create index ph_operation_finished on ph_operation (finished_at) where finished_at is not null;

-- What the steps of an operation read. A step deletes its input.
create table ph_operation_input (
  operation_id  text    not null references ph_operation (id) on delete cascade,
  number        integer not null,
  -- A JSON array.
  input         text    not null,
  primary key (operation_id, number)
) strict, without rowid;
