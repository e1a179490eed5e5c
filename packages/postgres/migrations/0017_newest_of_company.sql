-- A company's applications, newest first: one range for each status.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_company_newest on ph_application (status, company_id, submitted_at, id);
