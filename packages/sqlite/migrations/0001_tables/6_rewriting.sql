-- Remembers that the file must be rewritten without the rows that were erased.

-- The table has one row. Rewriting is needed, because SQLite keeps copies of rows in unused bytes of pages that it has split.
create table ph_rewrite (
  one    integer not null primary key check (one = 1),
  -- Counts the erasures. A rewriting reads it to know whether another erasure has committed meanwhile.
  count  integer not null,
  -- The first erasure since the last rewriting. Null if the file need not be rewritten.
  since  integer
) strict;

insert into ph_rewrite (one, count, since) values (1, 0, null);

create trigger ph_rewrite_erased after update of erased_at, source_application_id on ph_application
when new.erased_at is not null
  and (old.erased_at is null or old.source_application_id is not new.source_application_id)
begin
  update ph_rewrite set count = count + 1, since = coalesce(since, new.erased_at);
end;

-- The location of a file may contain a name.
create trigger ph_rewrite_resume after delete on ph_resume_removal
begin
  update ph_rewrite set count = count + 1, since = coalesce(since, old.due_at);
end;

-- The host has deleted its own row, which may be in the same file.
create trigger ph_rewrite_received after update of received_at on ph_inbox_erasure
when old.received_at is null and new.received_at is not null
begin
  update ph_rewrite set count = count + 1, since = coalesce(since, new.received_at);
end;
