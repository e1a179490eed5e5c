-- Partner Hiring on PostgreSQL: the first schema. Names are unqualified: whoever runs this sets the search path.
--
-- Conventions
--   * The tables lie in a schema of their own; the prefix ph_ is the same in every database.
--   * Instants are bigint, whole milliseconds since 1970-01-01T00:00:00Z.
--   * Yes or no is smallint 1 or 0.
--   * What is signed, replayed or handed back is text exactly as it was written; JSON stays text too, because
--     jsonb would reorder its keys.
--   * Identifiers have the collation "C": they sort by bytes, the same on every server.
--   * A "stamp" (changed_at, at) is unique and strictly increasing within one key; ph_feed_head holds the last.
--   * Tables whose rows are replaced over and over keep room in their pages, so that this touches no index.

-- Applicant-tracking systems that the operator let in.
create table ph_partner (
  id          text    collate "C" not null primary key,
  name        text    not null,
  created_at  bigint  not null
);

-- A partner's stable identity in one world; all it does hangs on this row, not on its secrets.
create table ph_partner_key (
  id          text    collate "C" not null primary key,
  partner_id  text    collate "C" not null references ph_partner (id),
  world       text    collate "C" not null check (world in ('production', 'sandbox')),
  created_at  bigint  not null,
  unique (partner_id, world)
);

-- What is kept of a secret: its SHA-256, never the secret.
create table ph_key_secret (
  hash          text    collate "C" not null primary key,
  key_id        text    collate "C" not null references ph_partner_key (id),
  prefix        text    not null,
  last_four     text    not null,
  created_at    bigint  not null,
  last_used_at  bigint,
  expires_at    bigint,
  revoked_at    bigint
) with (fillfactor = 80);

create index ph_key_secret_by_key on ph_key_secret (key_id, created_at);

-- Employers.
create table ph_company (
  id          text    collate "C" not null primary key,
  name        text    not null,
  world       text    collate "C" not null check (world in ('production', 'sandbox')),
  created_at  bigint  not null
);

-- That a company lets a key see its jobs, or once did: the row outlives a revocation.
create table ph_access (
  key_id           text    collate "C" not null references ph_partner_key (id),
  company_id       text    collate "C" not null references ph_company (id),
  granted_at       bigint  not null,
  revoked_at       bigint,
  bootstrap_until  bigint,
  primary key (key_id, company_id)
);

create index ph_access_by_company on ph_access (company_id);

-- Jobs as the host knows them.
create table ph_job (
  id                     text     collate "C" not null primary key,
  company_id             text     collate "C" not null references ph_company (id),
  title                  text     not null,
  city                   text     not null,
  region                 text     not null,
  country                text     not null,
  pay_type               text     not null check (pay_type = 'hourly'),
  pay_min                double precision,
  pay_max                double precision,
  pay_currency           text     not null,
  schedule               text,
  headcount_total        bigint,
  headcount_filled       bigint   not null,
  -- A JSON array of questions; null if the job has none.
  application_form       text,
  state                  text     collate "C" not null check (state in ('open', 'closed', 'archived')),
  internal_only          smallint not null check (internal_only in (0, 1)),
  created_at             bigint   not null
);

create index ph_job_by_company on ph_job (company_id, created_at, id);

-- The last stamp of each key's feed. Taking one locks the row until the commit.
create table ph_feed_head (
  key_id    text    collate "C" not null primary key references ph_partner_key (id),
  at        bigint  not null,
  -- No event of the key lies beyond it: a worker passes over keys by it, without a look at their logs.
  event_at  bigint  not null default 0
) with (fillfactor = 50);

-- What a key last saw of a job, and when that changed for it.
create table ph_key_job (
  key_id      text      collate "C" not null references ph_partner_key (id),
  job_id      text      collate "C" not null references ph_job (id),
  company_id  text      collate "C" not null references ph_company (id),
  visible     smallint  not null check (visible in (0, 1)),
  changed_at  bigint    not null,
  primary key (key_id, job_id)
);

-- GET /jobs, and GET /jobs?company_id: one range each, in order.
create index ph_key_job_feed on ph_key_job (key_id, changed_at) where visible = 1;
create index ph_key_job_company_feed on ph_key_job (key_id, company_id, visible, changed_at);
create index ph_key_job_by_job on ph_key_job (job_id);

create table ph_application (
  id                     text    collate "C" not null primary key,
  key_id                 text    collate "C" not null references ph_partner_key (id),
  job_id                 text    collate "C" not null references ph_job (id),
  company_id             text    collate "C" not null references ph_company (id),
  source_application_id  text    collate "C",
  status                 text    collate "C" not null
    check (status in ('received', 'in_progress', 'accepted', 'rejected')),
  stage                  text    collate "C" not null,
  submitted_at           bigint  not null,
  last_status_change_at  bigint  not null,
  changed_at             bigint  not null,
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
);

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
  key_id            text     collate "C" not null references ph_partner_key (id),
  idempotency_key   text     collate "C" not null,
  fingerprint       text     not null,
  json_fingerprint  text     not null,
  application_id    text     collate "C" not null,
  company_id        text     collate "C" not null,
  reply_status      integer  not null,
  reply_body        text     not null,
  created_at        bigint   not null,
  expires_at        bigint   not null,
  primary key (key_id, idempotency_key)
);

create index ph_idempotency_expiry on ph_idempotency (expires_at);

-- Requests counted in each minute of each bucket. A row for each minute: while an old snapshot may see them, the versions
-- of a row stay, and who counts walks over those of its own minute alone.
create table ph_rate_window (
  window_start  bigint  not null,
  bucket_id     text    collate "C" not null,
  count         bigint  not null,
  primary key (window_start, bucket_id)
) with (fillfactor = 50);

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

-- A key's webhook endpoint. Workers lease it: lease_until is 0 while nobody holds it.
create table ph_endpoint (
  key_id                text    collate "C" not null primary key references ph_partner_key (id),
  url                   text    not null,
  state                 text    collate "C" not null check (state in ('active', 'paused')),
  paused_reason         text    collate "C",
  paused_at             bigint,
  consecutive_failures  bigint  not null,
  first_failure_at      bigint,
  last_success_at       bigint,
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

-- Events that failed, or hung while later ones were done. What went well has no row.
create table ph_delivery (
  key_id           text    collate "C" not null,
  event_id         text    collate "C" not null,
  event_at         bigint  not null,
  state            text    collate "C" not null check (state in ('pending', 'delivered', 'dead', 'cancelled')),
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

-- Alerts that were not handed over yet.
create table ph_alert (
  id           text    collate "C" not null primary key,
  kind         text    collate "C" not null check (kind in ('endpoint_paused', 'delivery_dead')),
  key_id       text    collate "C" not null,
  reason       text    collate "C",
  event_id     text    collate "C",
  attempts     bigint,
  at           bigint  not null,
  lease_token  text    collate "C",
  lease_until  bigint  not null default 0,
  check (kind <> 'endpoint_paused' or reason is not null),
  check (kind <> 'delivery_dead' or (event_id is not null and attempts is not null))
);

create index ph_alert_turn on ph_alert (at, id);

-- Resumes that are still to be fetched.
create table ph_resume_task (
  -- Looked at when the transaction ends: application and task go in side by side.
  application_id  text    collate "C" not null primary key references ph_application (id)
    deferrable initially deferred,
  -- The application's key: keys take turns.
  key_id          text    collate "C" not null,
  url             text    not null,
  attempts        bigint  not null,
  due_at          bigint  not null,
  lease_token     text    collate "C",
  lease_until     bigint  not null default 0
);

create index ph_resume_task_turn on ph_resume_task (due_at, application_id);
create index ph_resume_task_by_key on ph_resume_task (key_id, due_at, application_id);
