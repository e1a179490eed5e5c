-- A company's jobs, oldest first: one range for each state.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_job_company_state on ph_job (company_id, state, created_at, id);
