-- A job's applications, newest first: one range for each status.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_job_newest on ph_application (status, job_id, submitted_at, id);
