-- Events, and their delivery to the endpoints of partners.

-- The event log of each key: the events for its endpoint, in the order of the commits.
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

-- A key's webhook endpoint. Workers lease it: lease_until is 0 while no worker has the lease. The endpoint is failing from a
-- failed attempt until its next success.
create table ph_endpoint (
  key_id                text    collate "C" not null primary key references ph_partner_key (id),
  url                   text    not null,
  state                 text    collate "C" not null check (state in ('active', 'paused')),
  paused_reason         text    collate "C",
  paused_at             bigint,
  resumed_at            bigint,
  -- A JSON object: the URL that the partner's own changes replaced, and when. Null if the host has set the URL.
  replaced_url          text,
  consecutive_failures  bigint  not null,
  first_failure_at      bigint,
  -- A JSON object: why the last attempt failed.
  last_failure          text,
  last_success_at       bigint,
  -- When the host was warned. If this is before first_failure_at, the warning was about earlier failures.
  failing_warned_at     bigint,
  pause_warned_at       bigint,
  -- When the next warning is due if the endpoint is still failing.
  warn_at               bigint,
  -- When a dead letter was last worth a message to the partner, which is once a day at most.
  dead_letters_told_at  bigint,
  -- When the host was last warned of the endpoint, or told of its pause. Null once it is well again.
  reported_at           bigint,
  -- A JSON object: the wait between two attempts of an endpoint that fails or limits. Null at full speed.
  gap                   text,
  -- When the gap ends, or 0. No worker leases the endpoint before.
  sends_from            bigint not null default 0,
  -- A JSON array of sealed signing secrets, the current one first.
  secrets               text    not null,
  created_at            bigint  not null,
  -- Events up to here occurred before the key had an endpoint. They are not for it.
  log_start             bigint  not null default 0,
  -- Every event up to here is done or has a row in ph_delivery.
  watermark             bigint  not null,
  lease_token           text    collate "C",
  lease_until           bigint  not null default 0,
  -- When the endpoint was last leased, or 0. Workers lease the one with the oldest lease first.
  leased_at             bigint  not null default 0,
  check ((state = 'paused') = (paused_reason is not null and paused_at is not null))
) with (fillfactor = 50);

create index ph_endpoint_turn on ph_endpoint (leased_at, key_id) where state = 'active';

-- Only failing or slowed endpoints have entries, so a success of a healthy endpoint writes to none of these indexes.
create index ph_endpoint_failing on ph_endpoint (first_failure_at, key_id) where first_failure_at is not null;
create index ph_endpoint_slowed on ph_endpoint (sends_from) where gap is not null;
create index ph_endpoint_warning on ph_endpoint (warn_at) where warn_at is not null and state = 'active';

-- Paused endpoints, longest paused first.
create index ph_endpoint_paused on ph_endpoint (paused_at, key_id) where state = 'paused';

-- Deliveries that failed, or were still running when later ones were done. A delivery that succeeded at once has no row.
create table ph_delivery (
  key_id           text    collate "C" not null,
  event_id         text    collate "C" not null,
  event_at         bigint  not null,
  state            text    collate "C" not null check (state in ('pending', 'delivered', 'dead', 'cancelled')),
  -- When the delivery was last resent. Null if it never was: it has then been pending since its event.
  pending_since    bigint,
  attempts         bigint  not null,
  cycle            bigint  not null,
  due_at           bigint,
  last_attempt_at  bigint,
  -- A JSON object: the outcome of the last attempt.
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

-- The last ten attempts of deliveries that did not succeed at once. Their number is 1 to 10. After a resend, an attempt
-- replaces the earlier one with the same number.
create table ph_attempt (
  key_id      text    collate "C" not null,
  event_id    text    collate "C" not null,
  number      bigint  not null,
  cycle       bigint  not null,
  ended_at    bigint  not null,
  latency_ms  bigint  not null,
  -- A JSON object: the outcome of the attempt.
  outcome     text    not null,
  primary key (key_id, event_id, number),
  foreign key (key_id, event_id) references ph_delivery (key_id, event_id) on delete cascade
);

create index ph_attempt_newest on ph_attempt (key_id, ended_at, event_id, number);

-- Evidence of successful deliveries. One row has the first-attempt successes of one settlement and key, or one success that a
-- resend replaces in ph_delivery. Removed with the events.
create table ph_delivery_evidence (
  key_id    text     collate "C" not null,
  -- 0 for first-attempt successes: their ranges of stamps do not overlap within a key. 1 for a replaced success.
  replaced  smallint not null check (replaced in (0, 1)),
  -- The stamp of the last event.
  last_at   bigint   not null,
  cycle     bigint   not null,
  -- The stamp of the first event.
  first_at  bigint   not null,
  -- A JSON array, ordered by stamp: [stamp - first_at, end of the attempt - stamp, HTTP status, latency in ms, attempts].
  body      text     not null,
  primary key (key_id, replaced, last_at, cycle),
  check (first_at <= last_at)
);

-- For the sweep of old rows. New rows of all keys go to the same page, which makes inserts cheap.
create index ph_delivery_evidence_oldest on ph_delivery_evidence (last_at);

-- Alerts for the host: those that it has not accepted yet, and those of the last 30 days.
create table ph_alert (
  id           text    collate "C" not null primary key,
  kind         text    collate "C" not null,
  -- Null for an alert about no key.
  key_id       text    collate "C",
  reason       text    collate "C",
  event_id     text    collate "C",
  attempts     bigint,
  -- A JSON object with the fields of the other kinds of alerts.
  details      text,
  at           bigint  not null,
  lease_token  text    collate "C",
  lease_until  bigint  not null default 0,
  -- When the host has accepted it.
  sent_at      bigint,
  -- 1 if it had a message for the contact of the partner.
  is_told      smallint not null default 0 check (is_told in (0, 1)),
  check (kind like 'jobs_sync_%' or key_id is not null),
  check (kind <> 'endpoint_paused' or reason is not null),
  check (kind <> 'delivery_dead' or (event_id is not null and attempts is not null))
);

create index ph_alert_turn on ph_alert (at, id) where sent_at is null;
create index ph_alert_sent on ph_alert (sent_at, id) where sent_at is not null;
-- For each new alert: the alert that collects its message.
create index ph_alert_collecting on ph_alert (key_id) where kind = 'messages_collected' and sent_at is null;
