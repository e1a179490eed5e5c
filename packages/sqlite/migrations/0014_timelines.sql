-- For timelines: when the host received its inbox, and how far partners have read their lists. The table and the columns are
-- new and empty.
-- oldest-compatible: 3

-- What the host has received: one row for each key and hand-over.
create table ph_inbox_receipt (
  key_id       text    not null,
  -- The stamps of the first and the last entry.
  first_at     integer not null,
  last_at      integer not null,
  received_at  integer not null,
  -- A JSON array with the distance from first_at, the kind and the application of each entry.
  body         text    not null,
  primary key (key_id, last_at)
) strict, without rowid;

create index ph_inbox_receipt_sweep on ph_inbox_receipt (received_at);

-- The reads of a list without filters contained each change after read_after, up to read_through. Null for other reads.
alter table ph_request_read add column read_after integer;
alter table ph_request_read add column read_through integer;
