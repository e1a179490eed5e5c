-- The host's look-up of applications by the beginning of a last name: one range for each status.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_last_name on ph_application (status, last_name_key, id);
