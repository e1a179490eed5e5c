-- Finding applications by last name. Adding a column without a default changes no row.
-- oldest-compatible: 3

-- The normalized last name, cut to a prefix. Null in rows of older releases: the worker fills these in.
alter table ph_application add column last_name_key text collate "C";
