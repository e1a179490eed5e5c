-- ph_application_key_company_feed replaces this index.
-- oldest-compatible: 3
-- online: concurrently

drop index concurrently ph_application_company_feed;
