-- Finds a candidate's applications by e-mail address, in any spelling of the mailbox: one range for each status.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_email on ph_application (status, email_key, id) where erased_at is null;
