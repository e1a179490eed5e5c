-- An endpoint is failing from its first failed attempt to its next success. The table has one row for each key, so its indexes
-- are built within a moment.
-- oldest-compatible: 1

alter table ph_endpoint
  -- A JSON object: why the last attempt failed.
  add column last_failure text,
  -- When the host was warned. An instant before first_failure_at belongs to earlier failures.
  add column failing_warned_at bigint,
  add column pause_warned_at bigint,
  -- When the passing of time leads to the next warning.
  add column warn_at bigint,
  add column resumed_at bigint;

-- Only failing endpoints have entries, so a success of a healthy endpoint writes to neither index.
create index ph_endpoint_failing on ph_endpoint (first_failure_at, key_id) where first_failure_at is not null;
create index ph_endpoint_warning on ph_endpoint (warn_at) where warn_at is not null and state = 'active';
