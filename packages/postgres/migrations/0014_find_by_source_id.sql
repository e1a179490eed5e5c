-- The host's look-up by the partner's id, and the last word on "unique per partner" against other processes.
-- oldest-compatible: 3
-- online: concurrently

create unique index concurrently ph_application_source_id on ph_application (source_application_id, key_id)
  where source_application_id is not null;
