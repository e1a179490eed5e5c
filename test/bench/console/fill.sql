-- What an operator sees after a bad month, for the keys that `spread/fill.sql` has made: $1 dead letters of each key, each with
-- ten attempts in its row and the last two in ph_attempt, $2 requests in the log, spread over the 30 days before $3, and the
-- counts of the last week.
set session_replication_role = replica;
create temporary table console_key as
  select id as key_id, row_number() over (order by id) as n,
         (select min(application.id) from ph_application application where application.key_id = ph_partner_key.id) as application_id
  from ph_partner_key;
insert into ph_endpoint
  (key_id, url, state, paused_reason, paused_at, consecutive_failures, first_failure_at, last_success_at, secrets, created_at,
   watermark)
  select key_id, 'https://ats-' || n || '.example.org/webhooks', case when n % 10 = 0 then 'paused' else 'active' end,
         case when n % 10 = 0 then 'consecutive_failures' end, case when n % 10 = 0 then $3 - 3600000 end,
         case when n % 5 = 0 then 40 else 0 end, case when n % 5 = 0 then $3 - 86400000 end, $3 - 90000000, '[]',
         $3 - 2592000000, $3
  from console_key;
create temporary table console_event as
  select key_id, $3 - 2592000000 + (i::bigint * 1000 + n) * (2592000000 / ($1 * 1000 + 1000)) as at,
         'evt_' || md5(key_id || i) as id,
         (array['application.status_changed', 'job.opened', 'job.closed'])[1 + i % 3] as type, application_id
  from console_key, generate_series(1, $1) i;
insert into ph_event
  select key_id, at, id, type, '{"id":"' || id || '","type":"' || type || '","data":{"applicationId":"' || application_id || '"}}'
  from console_event;
insert into ph_delivery
  (key_id, event_id, event_at, state, attempts, cycle, last_attempt_at, last_outcome, last_latency_ms)
  select key_id, id, at, 'dead', 10, 1, at + 250000000,
         '{"kind":"answered","status":500,"excerpt":"Internal Server Error"}', 120
  from console_event;
insert into ph_attempt
  select key_id, id, number, 1, at + number * 25000000, 120,
         '{"kind":"answered","status":500,"excerpt":"Internal Server Error"}'
  from console_event, generate_series(9, 10) number;
update ph_feed_head set at = greatest(at, $3), event_at = $3, checked_at = $3;
insert into ph_request
  select md5('request' || i)::uuid::text, $3 - 2592000000 + i * (2592000000 / $2), case when i % 20 = 0 then 1 else 0 end,
         key_id, null, 'POST', '/applications', case when i % 20 = 0 then 400 else 201 end,
         case when i % 20 = 0 then 'VALIDATION_ERROR' end, case when i % 20 = 0 then '["candidate.email"]' else '[]' end, 12,
         null, null, 0, 1, $3 - 2592000000 + i * (2592000000 / $2)
  from generate_series(1, $2) i join console_key on n = 1 + i % (select count(*) from console_key);
insert into ph_request_read
  select key_id, '/applications', minute, 3, minute + 100, minute, md5(key_id || minute)::uuid::text, null, null
  from console_key, generate_series($3 / 60000 * 60000 - 2592000000, $3, 3600000) minute;
insert into ph_hour_count
  select 'attempt', key_id, hour, name, 100
  from (select key_id from console_key union all select '') as counted, generate_series($3 / 3600000 * 3600000 - 604800000, $3, 3600000) hour,
       unnest(array['succeeded', 'failed']) name;
insert into ph_hour_count
  select 'request', '', hour, name, 100
  from generate_series($3 / 3600000 * 3600000 - 604800000, $3, 3600000) hour, unnest(array['200', '201', '400', '429']) name;
insert into ph_operation
  (id, plan, started_by, state, done, skipped, total, failures, created_at, due_at, updated_at, finished_at)
  select 'op_' || substr(key_id, 5), '{"kind":"resend","keyId":"' || key_id || '","since":null,"until":null,"only":"undelivered"}', null, 'done', 1000, 0, 1000, 0, $3 - 3600000 - n,
         $3 - 3600000, $3 - 1800000, $3 - 1800000
  from console_key;
drop table console_event;
drop table console_key;
set session_replication_role = origin;
analyze;
