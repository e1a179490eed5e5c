-- The tables on PostgreSQL. Names are unqualified: whoever runs this sets the search path. Until 0.1.0, these files are edited
-- in place; each new statement changes the migration's name in the database, so that older tables are refused.
--
-- Conventions
--   * The tables lie in a schema of their own; the prefix ph_ is the same in every database.
--   * Instants are bigint, whole milliseconds since 1970-01-01T00:00:00Z.
--   * Yes or no is smallint 1 or 0.
--   * Whatever is signed, replayed or handed back stays text, exactly as it was written. JSON stays text too, because
--     jsonb would reorder its keys.
--   * Identifiers have the collation "C": they sort by bytes, the same on every server.
--   * A "stamp" (changed_at, at) is unique and strictly increasing within one key; ph_feed_head holds the last.
--   * Tables whose rows are replaced over and over keep room in their pages, so that this touches no index.

-- Applicant-tracking systems with access to the API.
create table ph_partner (
  id          text    collate "C" not null primary key,
  name        text    not null,
  created_at  bigint  not null
);

create index ph_partner_oldest on ph_partner (created_at, id);

-- A partner's stable identity in one environment; everything it does refers to this row, not to its secrets.
create table ph_partner_key (
  id           text    collate "C" not null primary key,
  partner_id   text    collate "C" not null references ph_partner (id),
  environment  text    collate "C" not null check (environment in ('production', 'sandbox')),
  created_at   bigint  not null,
  unique (partner_id, environment)
);

-- A secret's SHA-256. The secret itself is never stored.
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
  id           text    collate "C" not null primary key,
  name         text    not null,
  environment  text    collate "C" not null check (environment in ('production', 'sandbox')),
  created_at   bigint  not null
);

create index ph_company_oldest on ph_company (created_at, id);

-- A company lets a key see its jobs, or once did: the row outlives a revocation.
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
  id                text     collate "C" not null primary key,
  company_id        text     collate "C" not null references ph_company (id),
  title             text     not null,
  city              text     not null,
  region            text     not null,
  country           text     not null,
  pay_type          text     not null check (pay_type = 'hourly'),
  pay_min           double precision,
  pay_max           double precision,
  pay_currency      text     not null,
  schedule          text,
  headcount_total   bigint,
  headcount_filled  bigint   not null,
  -- A JSON array of questions; null if the job has none.
  application_form  text,
  state             text     collate "C" not null check (state in ('open', 'closed', 'archived')),
  internal_only     smallint not null check (internal_only in (0, 1)),
  created_at        bigint   not null,
  -- When a command or a sync last changed the job.
  updated_at        bigint   not null,
  -- The run of jobs.sync that changed the job last, or first read it. Null if no sync keeps the job in step.
  synced_in         text     collate "C",
  -- The source's version that the last sync read. Null after a change by another command.
  source_version    text
);

-- A company's jobs, oldest first: one range for each state.
create index ph_job_company_state on ph_job (company_id, state, created_at, id);

-- The jobs of all companies, oldest first: one range for each state. A sync walks over the open ones.
create index ph_job_oldest on ph_job (state, created_at, id);

-- The last stamp of each key's feed. Taking one locks the row until the commit.
create table ph_feed_head (
  key_id      text      collate "C" not null primary key references ph_partner_key (id),
  at          bigint    not null,
  -- No event of the key lies beyond it: a worker passes over keys by it, without a look at their logs.
  event_at    bigint    not null default 0,
  -- Nothing was left to send of the events up to here. Only ever raised, and never beyond what its statement saw.
  checked_at  bigint    not null default 0,
  -- 1 if there may be something to send. An index over the two instants themselves would get a new entry with every event, and
  -- so would the primary key: while an old snapshot is open, each look-up walks over all of them.
  unchecked   smallint  not null generated always as (case when event_at > checked_at then 1 else 0 end) stored
) with (fillfactor = 50);

-- A worker's poll reads the feeds that changed, not a row of every key.
create index ph_feed_head_unchecked on ph_feed_head (key_id) where unchecked = 1;

-- The state in which a key last saw a job, and when that changed for the key.
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
