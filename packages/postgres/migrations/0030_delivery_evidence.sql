-- Evidence of successful deliveries, also of those that succeed at the first attempt. The table is new and empty.
-- oldest-compatible: 3

-- One row for the first-attempt successes of one settlement and key, or for a success that a redelivery replaces in
-- ph_delivery. Removed with the events.
create table ph_delivery_evidence (
  key_id    text     collate "C" not null,
  -- 0: first attempts. Their ranges of stamps do not overlap within a key. 1: one replaced success.
  replaced  smallint not null check (replaced in (0, 1)),
  -- The stamp of the last event.
  last_at   bigint   not null,
  cycle     bigint   not null,
  -- The stamp of the first event.
  first_at  bigint   not null,
  -- A JSON array of [stamp - first_at, end of the attempt - stamp, HTTP status, latency in ms, attempts], by stamp.
  body      text     not null,
  primary key (key_id, replaced, last_at, cycle),
  check (first_at <= last_at)
);

-- For the sweeper. New rows of all keys go to the same page.
create index ph_delivery_evidence_oldest on ph_delivery_evidence (last_at);
