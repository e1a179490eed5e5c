-- ph_application_job_newest replaces this index.
-- oldest-compatible: 3
-- online: concurrently

drop index concurrently ph_application_by_job;
