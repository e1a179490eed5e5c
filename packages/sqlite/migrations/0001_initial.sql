-- Partner Hiring on SQLite: the first schema.
--
-- Conventions
--   * The prefix ph_ keeps these tables apart from the host's own in the same file.
--   * Instants are INTEGER, whole milliseconds since 1970-01-01T00:00:00Z.
--   * Yes or no is INTEGER 1 or 0.
--   * What is signed, replayed or handed back is TEXT exactly as it was written; JSON stays TEXT too.
--   * A "stamp" (changed_at, at) is unique and strictly increasing within one key; ph_feed_head holds the last.

-- Applicant-tracking systems that the operator let in.
create table ph_partner (
  id          text    not null primary key,
  name        text    not null,
  created_at  integer not null
) strict, without rowid;

-- A partner's stable identity in one world; all it does hangs on this row, not on its secrets.
create table ph_partner_key (
  id          text    not null primary key,
  partner_id  text    not null references ph_partner (id),
  world       text    not null check (world in ('production', 'sandbox')),
  created_at  integer not null,
  unique (partner_id, world)
) strict, without rowid;

-- What is kept of a secret: its SHA-256, never the secret.
create table ph_key_secret (
  hash          text    not null primary key,
  key_id        text    not null references ph_partner_key (id),
  prefix        text    not null,
  last_four     text    not null,
  created_at    integer not null,
  last_used_at  integer,
  expires_at    integer,
  revoked_at    integer
) strict, without rowid;

create index ph_key_secret_by_key on ph_key_secret (key_id, created_at);

-- Employers.
create table ph_company (
  id          text    not null primary key,
  name        text    not null,
  world       text    not null check (world in ('production', 'sandbox')),
  created_at  integer not null
) strict, without rowid;

-- That a company lets a key see its jobs, or once did: the row outlives a revocation.
create table ph_access (
  key_id           text    not null references ph_partner_key (id),
  company_id       text    not null references ph_company (id),
  granted_at       integer not null,
  revoked_at       integer,
  bootstrap_until  integer,
  primary key (key_id, company_id)
) strict, without rowid;

create index ph_access_by_company on ph_access (company_id);

-- Jobs as the host knows them.
create table ph_job (
  id                     text    not null primary key,
  company_id             text    not null references ph_company (id),
  title                  text    not null,
  city                   text    not null,
  region                 text    not null,
  country                text    not null,
  pay_type               text    not null check (pay_type = 'hourly'),
  pay_min                real,
  pay_max                real,
  pay_currency           text    not null,
  schedule               text,
  headcount_total        integer,
  headcount_filled       integer not null,
  -- A JSON array of questions; null if the job has none.
  application_form       text,
  state                  text    not null check (state in ('open', 'closed', 'archived')),
  internal_only          integer not null check (internal_only in (0, 1)),
  created_at             integer not null
) strict;

create index ph_job_by_company on ph_job (company_id, created_at, id);

-- The last stamp of each key's feed. Taking one locks the row until the commit.
create table ph_feed_head (
  key_id    text    not null primary key references ph_partner_key (id),
  at        integer not null,
  -- No event of the key lies beyond it: a worker passes over keys by it, without a look at their logs.
  event_at  integer not null default 0
) strict, without rowid;

-- What a key last saw of a job, and when that changed for it.
create table ph_key_job (
  key_id      text    not null references ph_partner_key (id),
  job_id      text    not null references ph_job (id),
  company_id  text    not null references ph_company (id),
  visible     integer not null check (visible in (0, 1)),
  changed_at  integer not null,
  primary key (key_id, job_id)
) strict, without rowid;

-- GET /jobs, and GET /jobs?company_id: one range each, in order.
create index ph_key_job_feed on ph_key_job (key_id, changed_at) where visible = 1;
create index ph_key_job_company_feed on ph_key_job (key_id, company_id, visible, changed_at);
create index ph_key_job_by_job on ph_key_job (job_id);

create table ph_application (
  id                     text    not null primary key,
  key_id                 text    not null references ph_partner_key (id),
  job_id                 text    not null references ph_job (id),
  company_id             text    not null references ph_company (id),
  source_application_id  text,
  status                 text    not null check (status in ('received', 'in_progress', 'accepted', 'rejected')),
  stage                  text    not null,
  submitted_at           integer not null,
  last_status_change_at  integer not null,
  changed_at             integer not null,
  -- Personal data; nothing but the host's own reads touches these.
  first_name             text    not null,
  last_name              text    not null,
  email                  text    not null,
  phone                  text    not null,
  source                 text,
  -- A JSON object: the answers by question.
  answers                text    not null,
  resume_url             text,
  -- A JSON object: none, pending, fetched or failed.
  resume                 text    not null
) strict;

-- The last word on "unique per partner" against other processes.
create unique index ph_application_source on ph_application (key_id, source_application_id)
  where source_application_id is not null;

-- GET /applications with each combination of its filters: one range each, in order.
create index ph_application_feed on ph_application (key_id, changed_at);
create index ph_application_company_feed on ph_application (key_id, company_id, changed_at);
create index ph_application_status_feed on ph_application (key_id, status, changed_at);
create index ph_application_company_status_feed on ph_application (key_id, company_id, status, changed_at);

-- The host's lists, newest first.
create index ph_application_newest on ph_application (submitted_at, id);
create index ph_application_by_job on ph_application (job_id, submitted_at, id);
create index ph_application_by_company on ph_application (company_id, submitted_at, id);

-- Idempotency keys that a committed 201 has bound, with its stored reply.
create table ph_idempotency (
  key_id            text    not null references ph_partner_key (id),
  idempotency_key   text    not null,
  fingerprint       text    not null,
  json_fingerprint  text    not null,
  application_id    text    not null,
  company_id        text    not null,
  reply_status      integer not null,
  reply_body        text    not null,
  created_at        integer not null,
  expires_at        integer not null,
  primary key (key_id, idempotency_key)
) strict;

create index ph_idempotency_expiry on ph_idempotency (expires_at);

-- Requests counted in each minute of each bucket.
create table ph_rate_window (
  window_start  integer not null,
  bucket_id     text    not null,
  count         integer not null,
  primary key (window_start, bucket_id)
) strict, without rowid;

-- The log of each key: what is sent to its endpoint, in the order of the commits.
create table ph_event (
  key_id  text    not null references ph_partner_key (id),
  at      integer not null,
  id      text    not null,
  type    text    not null,
  -- The exact bytes of every attempt.
  body    text    not null,
  primary key (key_id, at),
  unique (key_id, id)
) strict, without rowid;

-- A key's webhook endpoint. Workers lease it: lease_until is 0 while nobody holds it.
create table ph_endpoint (
  key_id                text    not null primary key references ph_partner_key (id),
  url                   text    not null,
  state                 text    not null check (state in ('active', 'paused')),
  paused_reason         text,
  paused_at             integer,
  consecutive_failures  integer not null,
  first_failure_at      integer,
  last_success_at       integer,
  -- A JSON array of sealed signing secrets, the current one first.
  secrets               text    not null,
  created_at            integer not null,
  -- Every event up to here is done or has a row in ph_delivery.
  watermark             integer not null,
  lease_token           text,
  lease_until           integer not null default 0,
  -- When it was last leased; 0 if never. The longest ago comes first.
  leased_at             integer not null default 0,
  check ((state = 'paused') = (paused_reason is not null and paused_at is not null))
) strict;

create index ph_endpoint_turn on ph_endpoint (leased_at, key_id) where state = 'active';

-- Events that failed, or hung while later ones were done. What went well has no row.
create table ph_delivery (
  key_id           text    not null,
  event_id         text    not null,
  event_at         integer not null,
  state            text    not null check (state in ('pending', 'delivered', 'dead', 'cancelled')),
  attempts         integer not null,
  cycle            integer not null,
  due_at           integer,
  last_attempt_at  integer,
  -- A JSON object: what the last attempt met.
  last_outcome     text,
  last_latency_ms  integer,
  primary key (key_id, event_id),
  foreign key (key_id, event_id) references ph_event (key_id, id),
  check ((state = 'pending') = (due_at is not null))
) strict;

create index ph_delivery_due on ph_delivery (key_id, due_at, event_at) where state = 'pending';
create index ph_delivery_by_state on ph_delivery (state, event_at, event_id);
create index ph_delivery_by_key_state on ph_delivery (key_id, state, event_at, event_id);
create index ph_delivery_delivered on ph_delivery (last_attempt_at) where state = 'delivered';

-- The last ten attempts of deliveries that did not go well at once: number is 1 to 10, and an attempt of the
-- next cycle takes the place of its number.
create table ph_attempt (
  key_id      text    not null,
  event_id    text    not null,
  number      integer not null,
  cycle       integer not null,
  ended_at    integer not null,
  latency_ms  integer not null,
  -- A JSON object: what the attempt met.
  outcome     text    not null,
  primary key (key_id, event_id, number),
  foreign key (key_id, event_id) references ph_delivery (key_id, event_id) on delete cascade
) strict;

create index ph_attempt_newest on ph_attempt (key_id, ended_at, event_id, number);

-- Alerts that were not handed over yet.
create table ph_alert (
  id           text    not null primary key,
  kind         text    not null check (kind in ('endpoint_paused', 'delivery_dead')),
  key_id       text    not null,
  reason       text,
  event_id     text,
  attempts     integer,
  at           integer not null,
  lease_token  text,
  lease_until  integer not null default 0,
  check (kind <> 'endpoint_paused' or reason is not null),
  check (kind <> 'delivery_dead' or (event_id is not null and attempts is not null))
) strict, without rowid;

create index ph_alert_turn on ph_alert (at, id);

-- Resumes that are still to be fetched.
create table ph_resume_task (
  -- Looked at when the transaction ends: application and task go in side by side.
  application_id  text    not null primary key references ph_application (id)
    deferrable initially deferred,
  -- The application's key: keys take turns.
  key_id          text    not null,
  url             text    not null,
  attempts        integer not null,
  due_at          integer not null,
  lease_token     text,
  lease_until     integer not null default 0
) strict;

create index ph_resume_task_turn on ph_resume_task (due_at, application_id);
create index ph_resume_task_by_key on ph_resume_task (key_id, due_at, application_id);
