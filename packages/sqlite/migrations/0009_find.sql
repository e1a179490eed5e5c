-- Finding applications and jobs, and lists in pages.
-- oldest-compatible: 3

-- The normalized last name, cut to a prefix. Null in rows of older releases: the worker fills these in.
alter table ph_application add column last_name_key text;

-- The host's look-up of applications by the beginning of a last name: one range for each status.
create index ph_application_last_name on ph_application (status, last_name_key, id);

-- The host's look-up by the partner's id, and the last word on "unique per partner" against other processes.
create unique index ph_application_source_id on ph_application (source_application_id, key_id)
  where source_application_id is not null;
drop index ph_application_source;

-- The host's lists, newest first: one range for each status.
create index ph_application_key_newest on ph_application (status, key_id, submitted_at, id);
create index ph_application_company_newest on ph_application (status, company_id, submitted_at, id);
drop index ph_application_by_company;
create index ph_application_job_newest on ph_application (status, job_id, submitted_at, id);
drop index ph_application_by_job;

-- A company's jobs, oldest first: one range for each state.
create index ph_job_company_state on ph_job (company_id, state, created_at, id);
drop index ph_job_by_company;

-- Pages of partners and companies, oldest first.
create index ph_partner_oldest on ph_partner (created_at, id);
create index ph_company_oldest on ph_company (created_at, id);
