-- A key's applications in the order of their changes: one range for each status. The status comes first, so that the new
-- applications of all keys are on few pages.
-- oldest-compatible: 3

create index ph_application_key_feed on ph_application (status, key_id, changed_at);
create index ph_application_key_company_feed on ph_application (status, key_id, company_id, changed_at);

drop index ph_application_feed;
drop index ph_application_status_feed;
drop index ph_application_company_feed;
drop index ph_application_company_status_feed;
