-- What happened on each day. A task of the worker adds to the sums. An erasure does not change them.
create table ph_total (
  -- An environment for the sum of its keys.
  key_id      text    not null,
  -- `all` for the sum of all companies.
  company_id  text    not null,
  day         integer not null,
  -- A figure, such as submitted, or the most hours from a submission to its decision, such as within_24.
  name        text    not null,
  count       integer not null,
  primary key (key_id, company_id, day, name)
) strict, without rowid;

create index ph_total_sweep on ph_total (day);

-- How far each key is counted. The row with an empty key_id says when the last whole round of the task began.
create table ph_total_head (
  key_id      text    not null primary key,
  -- What has a stamp up to this one is counted.
  at          integer not null,
  -- The first hour whose counts are not added. In the row with an empty key_id, the first one that was.
  hour        integer not null,
  -- How often the row was saved: a task saves it only if nobody else has since it read it.
  version     integer not null
) strict, without rowid;
