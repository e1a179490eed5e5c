-- Rows with a key are found by it. Older releases find them by reading all rows.
-- oldest-compatible: 3
-- online: concurrently

drop index concurrently ph_application_by_email;
