-- Finds a candidate's applications by phone number: one range for each status.
-- online: concurrently
-- oldest-compatible: 3

create index concurrently ph_application_by_phone
  on ph_application (status, phone, id) where erased_at is null;
