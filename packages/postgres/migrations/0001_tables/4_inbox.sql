-- The inbox tells the host of each new candidate and each erasure.

-- Whether new entries are recorded. Submissions read it.
create table ph_inbox_switch (
  id     smallint not null primary key check (id = 1),
  is_on  smallint not null check (is_on in (0, 1)),
  -- Which changes of applications are recorded: those by staff, all, or none.
  changes  text    collate "C" not null default 'staff' check (changes in ('staff', 'all', 'none'))
);

insert into ph_inbox_switch (id, is_on) values (1, 0);

-- One row for each key with entries. A transaction that hands over a key's entries locks its row.
create table ph_inbox_head (
  key_id       text    collate "C" not null primary key references ph_partner_key (id),
  -- Entries up to here are done or have a retry_at. Readers start after it. Otherwise, while an old snapshot is open, they
  -- would read past all deleted entries.
  position     bigint  not null default 0,
  -- Until this instant, a consumer outside the process has the entries up to leased_to.
  lease_until  bigint  not null default 0,
  leased_to    bigint  not null default 0
) with (fillfactor = 50);

-- Entries that the host has not received yet.
create table ph_inbox_entry (
  key_id            text    collate "C" not null,
  at                bigint  not null,
  application_id    text    collate "C" not null,
  kind              text    collate "C" not null
    check (kind in ('application.submitted', 'application.changed', 'resume.fetched', 'resume.failed')),
  failures          bigint  not null default 0,
  first_failure_at  bigint,
  -- When to hand the entry over again after a refusal. Null if it was never refused. For a parked
  -- entry, an instant that never comes.
  retry_at          bigint,
  parked_at         bigint,
  last_error        text,
  -- For application.changed: JSON with the status and stage before and after, the id of the actor, and the door.
  change            text,
  primary key (key_id, at, application_id),
  check (parked_at is null or retry_at is not null)
);

create index ph_inbox_entry_due on ph_inbox_entry (retry_at, key_id, at, application_id) where retry_at is not null;
create index ph_inbox_entry_postponed on ph_inbox_entry (application_id, at)
  where retry_at is not null or failures > 0;
-- The list of refused entries.
create index ph_inbox_entry_refused on ph_inbox_entry (key_id, at, application_id) where failures > 0;

-- Hand-overs that the host has received: one row for each key and hand-over.
create table ph_inbox_receipt (
  key_id       text    collate "C" not null,
  -- The stamps of the first and the last entry.
  first_at     bigint  not null,
  last_at      bigint  not null,
  received_at  bigint  not null,
  -- A JSON array with the distance from first_at, the kind and the application of each entry.
  body         text    not null,
  primary key (key_id, last_at)
);

create index ph_inbox_receipt_sweep on ph_inbox_receipt (received_at);

-- One row for each application that was erased while the inbox was on. It stays, to show when the host received the erasure.
create table ph_inbox_erasure (
  application_id    text    collate "C" not null primary key,
  key_id            text    collate "C" not null,
  at                bigint  not null,
  failures          bigint  not null default 0,
  first_failure_at  bigint,
  -- When it is handed over next. A parked erasure has an instant that never comes.
  retry_at          bigint  not null,
  parked_at         bigint,
  last_error        text,
  -- Null until the host has received it.
  received_at       bigint
) with (fillfactor = 70);

create index ph_inbox_erasure_due on ph_inbox_erasure (retry_at, key_id, at, application_id) where received_at is null;
create index ph_inbox_erasure_key on ph_inbox_erasure (key_id, retry_at, application_id) where received_at is null;
create index ph_inbox_erasure_refused on ph_inbox_erasure (key_id, at, application_id)
  where received_at is null and failures > 0;
