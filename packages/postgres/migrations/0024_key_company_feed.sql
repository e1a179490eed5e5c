-- Likewise for one company.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_key_company_feed on ph_application (status, key_id, company_id, changed_at);
