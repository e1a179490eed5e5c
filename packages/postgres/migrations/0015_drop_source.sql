-- ph_application_source_id replaces this index.
-- oldest-compatible: 3
-- online: concurrently

drop index concurrently ph_application_source;
