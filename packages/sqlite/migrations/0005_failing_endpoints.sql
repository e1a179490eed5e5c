-- An endpoint is failing from its first failed attempt to its next success. The table has one row for each key, so its indexes
-- are built within a moment.
-- oldest-compatible: 1

-- A JSON object: why the last attempt failed.
alter table ph_endpoint add column last_failure text;
-- When the host was warned. An instant before first_failure_at belongs to earlier failures.
alter table ph_endpoint add column failing_warned_at integer;
alter table ph_endpoint add column pause_warned_at integer;
-- When the passing of time leads to the next warning.
alter table ph_endpoint add column warn_at integer;
alter table ph_endpoint add column resumed_at integer;

-- Only failing endpoints have entries, so a success of a healthy endpoint writes to neither index.
create index ph_endpoint_failing on ph_endpoint (first_failure_at, key_id) where first_failure_at is not null;
create index ph_endpoint_warning on ph_endpoint (warn_at) where warn_at is not null and state = 'active';
