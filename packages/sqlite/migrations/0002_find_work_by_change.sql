-- A worker's poll reads the feeds that changed, not a row of every key. The table has one row for each key, so its index is
-- built within a moment.
-- oldest-compatible: 1

-- Nothing was left to send of the events up to here. Only ever raised, and never beyond what its statement saw.
alter table ph_feed_head add column checked_at integer not null default 0;

-- 1 if there may be something to send.
alter table ph_feed_head add column unchecked integer not null
  generated always as (case when event_at > checked_at then 1 else 0 end) virtual;

create index ph_feed_head_unchecked on ph_feed_head (key_id) where unchecked = 1;
