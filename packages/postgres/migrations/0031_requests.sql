-- The request log: both tables are new and empty.
-- oldest-compatible: 3

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
  -- A JSON array of field names.
  fields          text     not null,
  duration_ms     bigint   not null,
  application_id  text     collate "C",
  is_replay       smallint not null check (is_replay in (0, 1)),
  -- More than 1 in the row that stands for the rest of a flood, which ended at last_at.
  count           bigint   not null,
  last_at         bigint   not null
);

create index ph_request_newest on ph_request (is_error, at, request_id);
create index ph_request_key_newest on ph_request (key_id, is_error, at, request_id) where key_id is not null;
create index ph_request_application on ph_request (application_id, is_error, at, request_id)
  where application_id is not null;

-- Successful reads: one row for each key, route and minute.
create table ph_request_read (
  key_id           text    collate "C" not null,
  route            text    collate "C" not null,
  minute           bigint  not null,
  count            bigint  not null,
  last_at          bigint  not null,
  -- The minute again, for the sweep. With an index on minute, a search for the last reads of a key could walk over those
  -- of all keys.
  sweep_at         bigint  not null,
  last_request_id  text    collate "C" not null,
  primary key (key_id, route, minute)
) with (fillfactor = 80);

create index ph_request_read_sweep on ph_request_read (sweep_at);
