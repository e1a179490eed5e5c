-- Events in the logs of keys, as the product writes them: stamps behind the feed's head, and the head moved on.
-- $1 the keys, $2 how many for each, $3 the body of all.
with head as (
  update partner_hiring.ph_feed_head set at = at + $2, event_at = at + $2 where key_id = any ($1::text[]) returning key_id, at - $2 as at
)
insert into partner_hiring.ph_event (key_id, at, id, type, body)
select key_id, at + i, 'evt_' || md5(key_id || (at + i)), 'job.opened', $3
from head, generate_series(1, $2::integer) as i
