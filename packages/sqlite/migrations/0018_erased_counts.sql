-- A second run of an erasure tells what the first one erased.
-- oldest-compatible: 3

-- A JSON object: how many values of each kind were erased. Null before an erasure, and for those of older releases.
alter table ph_application add column erased_counts text;
