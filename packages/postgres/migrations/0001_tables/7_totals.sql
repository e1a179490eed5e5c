-- Totals: what happened in each day and month.

-- Sums, which a task of the worker adds to. They hold no personal data, and an erasure does not change them.
create table ph_total (
  -- An environment for the sum of its keys.
  key_id      text    collate "C" not null,
  unit        text    collate "C" not null check (unit in ('day', 'month')),
  -- The start of the day or the month, in UTC.
  starts_at   bigint  not null,
  -- Empty for the sum of all companies, and for what belongs to none.
  company_id  text    collate "C" not null,
  -- A figure, such as submitted, or the most hours from a submission to its decision, such as within_24.
  name        text    collate "C" not null,
  count       bigint  not null,
  primary key (key_id, unit, starts_at, company_id, name)
) with (fillfactor = 80);

create index ph_total_sweep on ph_total (starts_at);

-- How far the sums count. The row with an empty key_id is about the rounds of the task: when the first one began, and the last.
create table ph_total_head (
  key_id      text    collate "C" not null primary key,
  -- What has a stamp up to this one is counted.
  at          bigint  not null,
  counted_at  bigint  not null,
  -- The counted_at of the row that it replaced.
  replaces    bigint  not null,
  -- A JSON object: what was added of hourly counts that may still grow, by day and figure.
  hours       text    not null
) with (fillfactor = 50);
