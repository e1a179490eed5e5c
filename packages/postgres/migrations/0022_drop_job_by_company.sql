-- ph_job_company_state replaces this index.
-- oldest-compatible: 3
-- online: concurrently

drop index concurrently ph_job_by_company;
