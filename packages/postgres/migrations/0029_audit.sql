-- The audit: who did what, when, and to which objects. The table is new and empty. The new column is null in operations of
-- older releases.
-- oldest-compatible: 3

-- One row for each object of an entry, so that the entry is found by each of them. Row 0 is the one of the main object.
create table ph_audit (
  id           text    collate "C" not null,
  number       bigint  not null,
  at           bigint  not null,
  actor_id     text    collate "C" not null,
  actor_name   text,
  reason       text,
  -- The name of the command, such as jobs.close.
  act          text    collate "C" not null,
  object_kind  text    collate "C" not null,
  object_id    text    collate "C" not null,
  -- A JSON array of the objects to show: the first 20.
  objects      text    not null,
  key_id       text    collate "C",
  -- Null unless the command was on many rows.
  count        bigint ,
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

-- A JSON object: who started the operation. Null means the host.
alter table ph_operation add column started_by text;
