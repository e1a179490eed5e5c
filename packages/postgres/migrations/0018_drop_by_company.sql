-- ph_application_company_newest replaces this index.
-- oldest-compatible: 3
-- online: concurrently

drop index concurrently ph_application_by_company;
