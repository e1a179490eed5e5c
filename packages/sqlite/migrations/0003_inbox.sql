-- The inbox tells the host of each new candidate. A release without this migration would accept applications without telling
-- the host, so no older release is named as compatible.

-- Whether new entries are recorded. Submissions read it.
create table ph_inbox_switch (
  id     integer not null primary key check (id = 1),
  is_on  integer not null check (is_on in (0, 1))
) strict;

insert into ph_inbox_switch (id, is_on) values (1, 0);

-- One row for each key with entries. Whoever hands over a key's entries reads it.
create table ph_inbox_head (
  key_id       text    not null primary key references ph_partner_key (id),
  -- Entries up to here are done or have a retry_at.
  position     integer not null default 0,
  -- A consumer outside the process has the entries up to leased_to until then.
  lease_until  integer not null default 0,
  leased_to    integer not null default 0
) strict, without rowid;

-- What the host was not told yet.
create table ph_inbox_entry (
  key_id            text    not null,
  at                integer not null,
  application_id    text    not null,
  kind              text    not null check (kind in ('application.submitted', 'resume.fetched', 'resume.failed')),
  failures          integer not null default 0,
  first_failure_at  integer,
  -- Null for an entry that was never refused. A parked entry has an instant that never comes.
  retry_at          integer,
  parked_at         integer,
  last_error        text,
  primary key (key_id, at, application_id),
  check (parked_at is null or retry_at is not null)
) strict, without rowid;

create index ph_inbox_entry_due on ph_inbox_entry (retry_at, key_id, at, application_id) where retry_at is not null;
create index ph_inbox_entry_postponed on ph_inbox_entry (application_id, at) where retry_at is not null;

-- Alerts of other kinds keep their fields as JSON. SQLite changes the check only with a new table.
create table ph_alert_new (
  id           text    not null primary key,
  kind         text    not null,
  key_id       text    not null,
  reason       text,
  event_id     text,
  attempts     integer,
  at           integer not null,
  lease_token  text,
  lease_until  integer not null default 0,
  details      text,
  check (kind <> 'endpoint_paused' or reason is not null),
  check (kind <> 'delivery_dead' or (event_id is not null and attempts is not null))
) strict, without rowid;

insert into ph_alert_new (id, kind, key_id, reason, event_id, attempts, at, lease_token, lease_until)
  select id, kind, key_id, reason, event_id, attempts, at, lease_token, lease_until from ph_alert;
drop table ph_alert;
alter table ph_alert_new rename to ph_alert;
create index ph_alert_turn on ph_alert (at, id);
