-- Finds rows without a key by the spelling of their e-mail address: one range for each status.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_email_spelling
  on ph_application (status, lower(email), id) where email_key is null and erased_at is null;
