-- A worker's poll reads the feeds that changed, not a row of every key. The table has one row for each key, so writing it
-- anew and building its index are done within a moment.
-- oldest-compatible: 1

-- Nothing was left to send of the events up to `checked_at`. It is only ever raised, and never beyond what its statement saw.
-- `unchecked` is 1 if there may be something to send. An index over the two instants themselves would get a new entry with
-- every event, and so would the primary key: while an old snapshot is open, each look-up walks over all of them.
alter table ph_feed_head
  add column checked_at bigint not null default 0,
  add column unchecked smallint not null generated always as (case when event_at > checked_at then 1 else 0 end) stored;

create index ph_feed_head_unchecked on ph_feed_head (key_id) where unchecked = 1;
