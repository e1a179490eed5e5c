-- The table of cells. It is new and empty, and stays empty with one schema.
-- oldest-compatible: 3

-- Of a storage on several schemas, the first one has a row for each. Holds no personal data.
create table ph_cell (
  -- The name of the schema.
  name       text    collate "C" not null primary key,
  added_at   bigint  not null,
  -- Null while the schema may lack companies and jobs. Partners are then neither added nor moved to it.
  opened_at  bigint,
  -- How many partners have moved out of it. Lists over all schemas read it before and after.
  moves      bigint  not null default 0
) with (fillfactor = 80);
