-- Finds a candidate's applications by e-mail address, in any letter case: one range for each status.
-- online: concurrently
-- oldest-compatible: 3

create index concurrently ph_application_by_email
  on ph_application (status, lower(email), id) where erased_at is null;
