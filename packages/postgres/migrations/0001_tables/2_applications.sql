-- Applications, with the personal data of candidates, and what belongs to their submission.

create table ph_application (
  id                     text    collate "C" not null primary key,
  key_id                 text    collate "C" not null references ph_partner_key (id),
  job_id                 text    collate "C" not null references ph_job (id),
  company_id             text    collate "C" not null references ph_company (id),
  source_application_id  text    collate "C",
  -- Finds the stored reply of the submission.
  idempotency_key        text    collate "C",
  status                 text    collate "C" not null
    check (status in ('received', 'in_progress', 'accepted', 'rejected')),
  stage                  text    collate "C" not null,
  submitted_at           bigint  not null,
  last_status_change_at  bigint  not null,
  changed_at             bigint  not null,
  -- Personal data. Only the host's own reads use these columns.
  first_name             text    not null,
  last_name              text    not null,
  email                  text    not null,
  phone                  text    not null,
  source                 text,
  -- A JSON object: the answers by question.
  answers                text    not null,
  resume_url             text,
  -- A JSON object: none, pending, fetched or failed.
  resume                 text    not null,
  -- When the last download failed. Null in every other state of the résumé, so that most rows are in no index of it.
  resume_failed_at       bigint,
  -- The normalized last name, cut to a prefix. Null until the worker fills it in.
  last_name_key          text    collate "C",
  -- One form for all spellings of a mailbox. Null until the worker fills it in.
  email_key              text    collate "C",
  -- The phone number backwards, so that its last digits are a range.
  phone_key              text    collate "C" not null default '',
  -- When the candidate's data was erased. Null while it is stored.
  erased_at              bigint,
  -- A JSON object: how many values of each kind were erased. Null before an erasure.
  erased_counts          text
);

-- Each index makes every submission slower. In an index that starts with the status, the new applications of all keys are on
-- few pages. That is cheaper, because the first change to a page after a checkpoint copies the whole page to the log.

-- The host's look-up by the partner's id. Enforces "unique per partner" even if two processes insert at once.
create unique index ph_application_source_id on ph_application (source_application_id, key_id)
  where source_application_id is not null;

-- GET /applications, for a key or one company, in the order of the changes. Reads one range for each status.
create index ph_application_key_feed on ph_application (status, key_id, changed_at);
create index ph_application_key_company_feed on ph_application (status, key_id, company_id, changed_at);

-- The host's lists, newest first. Those of a key, a company or a job read one range for each status.
create index ph_application_newest on ph_application (submitted_at, id);
create index ph_application_key_newest on ph_application (status, key_id, submitted_at, id);
create index ph_application_company_newest on ph_application (status, company_id, submitted_at, id);
create index ph_application_job_newest on ph_application (status, job_id, submitted_at, id);

-- The host's look-ups of candidates. Each reads one range for each status. The second index is for rows without an email_key.
create index ph_application_email on ph_application (status, email_key, id) where erased_at is null;
create index ph_application_email_spelling
  on ph_application (status, lower(email), id) where email_key is null and erased_at is null;
create index ph_application_by_phone on ph_application (status, phone_key, id) where erased_at is null;
create index ph_application_last_name on ph_application (status, last_name_key, id);

-- Erased applications, oldest erasure first.
create index ph_application_erased on ph_application (erased_at, id) where erased_at is not null;

-- What waits for the host, over all keys: applications without a decision, longest unchanged first, and failed résumés. Both
-- lists read one range for each status. A submission adds its entry at the end of the first index, and none to the second.
create index ph_application_unchanged on ph_application (status, changed_at, id)
  where status in ('received', 'in_progress') and erased_at is null;
create index ph_application_failed_resume on ph_application (status, resume_failed_at, id)
  where resume_failed_at is not null;

-- The decisions that the totals count next. A submission adds no entry.
create index ph_application_decided on ph_application (key_id, last_status_change_at)
  where status in ('accepted', 'rejected');

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

-- Résumés that are still to be fetched.
create table ph_resume_task (
  -- Checked when the transaction ends, because application and task are inserted in any order.
  application_id  text    collate "C" not null primary key references ph_application (id)
    deferrable initially deferred,
  -- The application's key. Workers take the tasks of all keys in turn.
  key_id          text    collate "C" not null,
  url             text    not null,
  attempts        bigint  not null,
  due_at          bigint  not null,
  lease_token     text    collate "C",
  lease_until     bigint  not null default 0
);

create index ph_resume_task_turn on ph_resume_task (due_at, application_id);
create index ph_resume_task_by_key on ph_resume_task (key_id, due_at, application_id);

-- Résumés of erased candidates that the sink still has.
create table ph_resume_removal (
  application_id  text    collate "C" not null primary key references ph_application (id),
  -- Where the sink stored the file. Null if that is unknown.
  location        text,
  attempts        bigint  not null,
  due_at          bigint  not null,
  lease_token     text,
  lease_until     bigint  not null default 0
) with (fillfactor = 50);

create index ph_resume_removal_turn on ph_resume_removal (due_at, application_id);
