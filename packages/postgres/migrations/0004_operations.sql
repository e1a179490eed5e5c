-- Commands on many rows that the worker runs in steps: both tables are new and empty.
-- oldest-compatible: 1

-- An operation of the host. A step and its progress commit together.
create table ph_operation (
  id           text    collate "C" not null primary key,
  -- A JSON object: the kind of the operation, with its filter.
  plan         text    not null,
  state        text    collate "C" not null check (state in ('running', 'done', 'stopped', 'failed')),
  -- JSON: where the next step starts; null before the first step and after the last one.
  position     text,
  done         bigint  not null,
  skipped      bigint  not null,
  -- Null if the number of items is unknown until the end.
  total        bigint ,
  -- Steps that failed in a row.
  failures     bigint  not null,
  last_error   text,
  created_at   bigint  not null,
  -- When the next step may run.
  due_at       bigint  not null,
  updated_at   bigint  not null,
  finished_at  bigint ,
  check ((state = 'running') = (finished_at is null))
) with (fillfactor = 50);

-- Few rows are in the table, so a list by state filters this range.
create index ph_operation_newest on ph_operation (created_at, id);
create index ph_operation_due on ph_operation (due_at, id) where state = 'running';
create index ph_operation_finished on ph_operation (finished_at) where finished_at is not null;

-- What the steps of an operation read. A step deletes its input.
create table ph_operation_input (
  operation_id  text    collate "C" not null references ph_operation (id) on delete cascade,
  number        bigint  not null,
  -- A JSON array.
  input         text    not null,
  primary key (operation_id, number)
);
