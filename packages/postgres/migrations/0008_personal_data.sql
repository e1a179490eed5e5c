-- Erasing the personal data of candidates. The new columns are null, so no row is rewritten. The first release with the inbox
-- can still run.
-- oldest-compatible: 3

alter table ph_application
  -- When the candidate's data was erased. Null while it is stored.
  add column erased_at bigint,
  -- Finds the stored reply of the submission. Null if an older release accepted it.
  add column idempotency_key text collate "C";

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
