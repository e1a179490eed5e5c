-- A key's applications in the order of their changes: one range for each status. The status comes first, so that the new
-- applications of all keys are on few pages. After a checkpoint, the first change to a page copies the page to the log.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_key_feed on ph_application (status, key_id, changed_at);
