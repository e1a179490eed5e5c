-- The tables on PostgreSQL. Names are unqualified, so set the search path before you run these files. Until 0.1.0, they are
-- edited in place. Each changed statement changes the migration's name in the database, so that older tables are refused.
--
-- Conventions
--   * The tables are in a schema of their own. Their prefix ph_ is the same in every database.
--   * Instants are bigint, whole milliseconds since 1970-01-01T00:00:00Z.
--   * A boolean is smallint 1 or 0.
--   * Values that are signed, replayed or returned are stored as text, exactly as they were written. So is JSON, because
--     jsonb would reorder its keys.
--   * Identifiers have the collation "C": they sort by bytes, the same on every server.
--   * A "stamp" (changed_at, at) is unique and strictly increasing within one key. ph_feed_head has the last one.
--   * Tables whose rows are updated often keep free space in their pages, so that most updates write to no index.

-- Applicant-tracking systems with access to the API.
create table ph_partner (
  id          text    collate "C" not null primary key,
  name        text    not null,
  -- A JSON object: name and e-mail of the person who gets messages. Null if there is none.
  contact     text,
  created_at  bigint  not null,
  -- Null while the partner may call the API.
  disabled_at bigint,
  -- Set once and for all. The row stays, because applications refer to the partner.
  removed_at  bigint
);

create index ph_partner_oldest on ph_partner (created_at, id) where removed_at is null;

-- Partners that were removed, oldest first.
create index ph_partner_removed on ph_partner (created_at, id) where removed_at is not null;

-- A partner's stable identity in one environment. All that a partner does refers to this row, not to its secrets.
create table ph_partner_key (
  id           text    collate "C" not null primary key,
  partner_id   text    collate "C" not null references ph_partner (id),
  environment  text    collate "C" not null check (environment in ('production', 'sandbox')),
  created_at   bigint  not null,
  -- JSON: requests per minute by kind, until when, and why. Null if the limits never were lowered, or were lifted.
  lowered_limits  text,
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

-- Finds the key of a secret of which somebody knows the last four characters.
create index ph_key_secret_by_last_four on ph_key_secret (last_four);

-- Employers.
create table ph_company (
  id           text    collate "C" not null primary key,
  name         text    not null,
  environment  text    collate "C" not null check (environment in ('production', 'sandbox')),
  created_at   bigint  not null
);

create index ph_company_oldest on ph_company (created_at, id);

-- Which companies let a key see their jobs. The row stays after a revocation.
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
  -- The run of jobs.sync that last changed the job, or otherwise first read it. Null if no sync manages the job.
  synced_in         text     collate "C",
  -- The version of the job in the source when the last sync read it. Null after a change by another command.
  source_version    text,
  -- 1 if the country is not known. Otherwise it is an alpha-2 code.
  unknown_country   smallint not null default 0 check (unknown_country in (0, 1))
);

-- A company's jobs, oldest first: one range for each state.
create index ph_job_company_state on ph_job (company_id, state, created_at, id);

-- The jobs of all companies, oldest first: one range for each state. A sync walks over the open ones.
create index ph_job_oldest on ph_job (state, created_at, id);

-- Open jobs whose country is not known, for the status.
create index ph_job_unknown_country on ph_job (country) where unknown_country = 1 and state = 'open';

-- The words of the names of partners and companies, and of the titles of jobs, for searches. Written with each name.
create table ph_name_word (
  id    text  collate "C" not null,
  -- Without case and accents.
  word  text  collate "C" not null,
  kind  text  collate "C" not null check (kind in ('partner', 'company', 'job')),
  primary key (id, word)
);

-- A search reads the names with a word or with one that begins like it: a range for each.
create index ph_name_word_search on ph_name_word (kind, word, id);

-- The last stamp of each key's feed. A transaction that takes a stamp locks the row until it commits.
create table ph_feed_head (
  key_id      text      collate "C" not null primary key references ph_partner_key (id),
  at          bigint    not null,
  -- No event of the key is later than this. So a worker can skip keys without reading their logs.
  event_at    bigint    not null default 0,
  -- No event up to here is left to send. Is only ever raised, and never past the event_at that the statement has read.
  checked_at  bigint    not null default 0,
  -- 1 if there may be events to send. With an index on the two instants instead, each event would add an entry to it and to
  -- the primary key. While an old snapshot is open, each look-up would read all these entries.
  unchecked   smallint  not null generated always as (case when event_at > checked_at then 1 else 0 end) stored,
  -- Every later event of the key is stored, and none of them was deleted. Null if events are stored only with an endpoint.
  recorded_after bigint
) with (fillfactor = 50);

-- A worker's poll reads the feeds that changed, not a row of every key.
create index ph_feed_head_unchecked on ph_feed_head (key_id) where unchecked = 1;

-- The state in which a key last saw a job, and when that changed for the key.
create table ph_key_job (
  key_id      text      collate "C" not null references ph_partner_key (id),
  job_id      text      collate "C" not null references ph_job (id),
  -- The company of the job. The job has the reference.
  company_id  text      collate "C" not null,
  visible     smallint  not null check (visible in (0, 1)),
  changed_at  bigint    not null,
  -- The change that made the job visible the last time.
  visible_since bigint  not null,
  primary key (key_id, job_id)
);

-- GET /jobs, and GET /jobs?company_id: one range each, in order.
create index ph_key_job_feed on ph_key_job (key_id, changed_at) where visible = 1;
create index ph_key_job_company_feed on ph_key_job (key_id, company_id, visible, changed_at);
create index ph_key_job_by_job on ph_key_job (job_id);
