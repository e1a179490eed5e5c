-- Finding a candidate's applications by e-mail address in any spelling of the mailbox.
-- oldest-compatible: 3

-- One form for all spellings of a mailbox. Null in rows of older releases: the worker fills these in.
alter table ph_application add column email_key text;

-- One range for each status.
create index ph_application_email on ph_application (status, email_key, id) where erased_at is null;

-- Rows without a key. Older releases find the other rows by reading all of them.
create index ph_application_email_spelling on ph_application (status, lower(email), id)
  where email_key is null and erased_at is null;
drop index ph_application_by_email;
