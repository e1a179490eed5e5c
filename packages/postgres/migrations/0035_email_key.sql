-- Finding applications by e-mail address. Adding a column without a default changes no row.
-- oldest-compatible: 3

-- One form for all spellings of a mailbox. Null in rows of older releases: the worker fills these in.
alter table ph_application add column email_key text collate "C";
