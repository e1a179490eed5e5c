-- Finding and erasing the personal data of candidates. The first release with the inbox can still run.
-- oldest-compatible: 3

-- When the candidate's data was erased. Null while it is stored.
alter table ph_application add column erased_at integer;
-- Finds the stored reply of the submission. Null if an older release accepted it.
alter table ph_application add column idempotency_key text;

create index ph_application_by_email on ph_application (status, lower(email), id) where erased_at is null;
create index ph_application_by_phone on ph_application (status, phone, id) where erased_at is null;

-- Résumés of erased candidates that the sink still has.
create table ph_resume_removal (
  application_id  text    not null primary key references ph_application (id),
  -- Where the sink stored the file. Null if that is unknown.
  location        text,
  attempts        integer not null,
  due_at          integer not null,
  lease_token     text,
  lease_until     integer not null default 0
) strict;

create index ph_resume_removal_turn on ph_resume_removal (due_at, application_id);
