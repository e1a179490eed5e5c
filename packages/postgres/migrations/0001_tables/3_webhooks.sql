-- Events, and their way to the endpoints of partners.

-- The log of each key: what is sent to its endpoint, in the order of the commits.
create table ph_event (
  key_id  text    collate "C" not null references ph_partner_key (id),
  at      bigint  not null,
  id      text    collate "C" not null,
  type    text    collate "C" not null,
  -- The exact bytes of every attempt.
  body    text    not null,
  primary key (key_id, at),
  unique (key_id, id)
);

-- A key's webhook endpoint. Workers lease it: lease_until is 0 while nobody holds it. It is failing from its first failed
-- attempt to its next success.
create table ph_endpoint (
  key_id                text    collate "C" not null primary key references ph_partner_key (id),
  url                   text    not null,
  state                 text    collate "C" not null check (state in ('active', 'paused')),
  paused_reason         text    collate "C",
  paused_at             bigint,
  resumed_at            bigint,
  consecutive_failures  bigint  not null,
  first_failure_at      bigint,
  -- A JSON object: why the last attempt failed.
  last_failure          text,
  last_success_at       bigint,
  -- When the host was warned. An instant before first_failure_at belongs to earlier failures.
  failing_warned_at     bigint,
  pause_warned_at       bigint,
  -- When the passing of time leads to the next warning.
  warn_at               bigint,
  -- A JSON array of sealed signing secrets, the current one first.
  secrets               text    not null,
  created_at            bigint  not null,
  -- Every event up to here is done or has a row in ph_delivery.
  watermark             bigint  not null,
  lease_token           text    collate "C",
  lease_until           bigint  not null default 0,
  -- When it was last leased; 0 if never. The longest ago comes first.
  leased_at             bigint  not null default 0,
  check ((state = 'paused') = (paused_reason is not null and paused_at is not null))
) with (fillfactor = 50);

create index ph_endpoint_turn on ph_endpoint (leased_at, key_id) where state = 'active';

-- Only failing endpoints have entries, so a success of a healthy endpoint writes to neither index.
create index ph_endpoint_failing on ph_endpoint (first_failure_at, key_id) where first_failure_at is not null;
create index ph_endpoint_warning on ph_endpoint (warn_at) where warn_at is not null and state = 'active';

-- Events that failed, or hung while later ones were done. A delivery that succeeded at once has no row.
create table ph_delivery (
  key_id           text    collate "C" not null,
  event_id         text    collate "C" not null,
  event_at         bigint  not null,
  state            text    collate "C" not null check (state in ('pending', 'delivered', 'dead', 'cancelled')),
  -- The last redelivery. Null if the delivery was never sent again: it is then pending since its event.
  pending_since    bigint,
  attempts         bigint  not null,
  cycle            bigint  not null,
  due_at           bigint,
  last_attempt_at  bigint,
  -- A JSON object: what the last attempt met.
  last_outcome     text,
  last_latency_ms  bigint,
  primary key (key_id, event_id),
  foreign key (key_id, event_id) references ph_event (key_id, id),
  check ((state = 'pending') = (due_at is not null))
);

create index ph_delivery_due on ph_delivery (key_id, due_at, event_at) where state = 'pending';
-- Finds the delivery of a key that has been pending for the longest time.
create index ph_delivery_oldest on ph_delivery (key_id, pending_since, event_at) where state = 'pending';
create index ph_delivery_by_state on ph_delivery (state, event_at, event_id);
create index ph_delivery_by_key_state on ph_delivery (key_id, state, event_at, event_id);
create index ph_delivery_delivered on ph_delivery (last_attempt_at) where state = 'delivered';

-- The last ten attempts of deliveries that did not go well at once: number is 1 to 10, and an attempt of the
-- next cycle takes the place of its number.
create table ph_attempt (
  key_id      text    collate "C" not null,
  event_id    text    collate "C" not null,
  number      bigint  not null,
  cycle       bigint  not null,
  ended_at    bigint  not null,
  latency_ms  bigint  not null,
  -- A JSON object: what the attempt met.
  outcome     text    not null,
  primary key (key_id, event_id, number),
  foreign key (key_id, event_id) references ph_delivery (key_id, event_id) on delete cascade
);

create index ph_attempt_newest on ph_attempt (key_id, ended_at, event_id, number);

-- Evidence of successful deliveries, also of those that succeed at the first attempt: one row for the first-attempt successes
-- of one settlement and key, or for a success that a redelivery replaces in ph_delivery. Removed with the events.
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

-- Alerts that were not handed over yet.
create table ph_alert (
  id           text    collate "C" not null primary key,
  kind         text    collate "C" not null,
  -- Null for an alert about no key.
  key_id       text    collate "C",
  reason       text    collate "C",
  event_id     text    collate "C",
  attempts     bigint,
  -- A JSON object: the fields of other kinds.
  details      text,
  at           bigint  not null,
  lease_token  text    collate "C",
  lease_until  bigint  not null default 0,
  check (kind = 'jobs_sync_held' or key_id is not null),
  check (kind <> 'endpoint_paused' or reason is not null),
  check (kind <> 'delivery_dead' or (event_id is not null and attempts is not null))
);

create index ph_alert_turn on ph_alert (at, id);
