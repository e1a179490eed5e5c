-- Finds erased applications, oldest erasure first.
-- oldest-compatible: 3
-- online: concurrently

create index concurrently ph_application_erased on ph_application (erased_at, id) where erased_at is not null;
