-- A key's applications, newest first: one range for each status.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_key_newest on ph_application (status, key_id, submitted_at, id);
