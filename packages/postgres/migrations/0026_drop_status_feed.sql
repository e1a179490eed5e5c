-- ph_application_key_feed replaces this index.
-- oldest-compatible: 3
-- online: concurrently

drop index concurrently ph_application_status_feed;
