-- $1 keys, each with a company and a job of its own, $2 applications to that job from the stamp $3 on, and one accepted
-- submission of today, at $4. Identifiers sort by time, as the product's do. Each application has a candidate of its own.
set session_replication_role = replica;
create temporary table spread_key as
  select n, lpad(to_hex(1700000000000 + n), 12, '0') || substr(md5('key' || n), 1, 14) as mark
  from generate_series(1, $1) n;
insert into ph_partner select 'ptn_' || mark, 'ATS ' || n, 0 from spread_key;
insert into ph_partner_key select 'key_' || mark, 'ptn_' || mark, 'production', 0 from spread_key;
insert into ph_company select 'co_' || mark, 'Employer ' || n, 'production', 0 from spread_key;
insert into ph_name_word
  select 'ptn_' || mark, word, 'partner' from spread_key, unnest(array['ats', n::text]) word
  union all select 'co_' || mark, word, 'company' from spread_key, unnest(array['employer', n::text]) word
  union all select 'job_' || mark, word, 'job' from spread_key, unnest(array['warehouse', 'associate']) word;
insert into ph_access select 'key_' || mark, 'co_' || mark, 0, null, null from spread_key;
insert into ph_job
  select 'job_' || mark, 'co_' || mark, 'Warehouse associate', 'Reno', 'NV', 'US', 'hourly', 21.5, 26, 'USD', 'full_time',
         4, 1, null, 'open', 0, 0, 0
  from spread_key;
insert into ph_key_job select 'key_' || mark, 'job_' || mark, 'co_' || mark, 1, 1, 1 from spread_key;
insert into ph_feed_head (key_id, at) select 'key_' || mark, $3 + $2 from spread_key;
-- In the order of time, as they came: the applications of a key lie on many pages.
insert into ph_application
  (id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at, last_status_change_at, changed_at,
   first_name, last_name, email, phone, source, answers, resume_url, resume, last_name_key, phone_key)
  select 'ej_app_' || lpad(to_hex($3 + i), 12, '0') || substr(md5(mark || i), 1, 14), 'key_' || mark, 'job_' || mark,
         'co_' || mark, md5(mark || 'source' || i)::uuid::text,
         (array['received', 'in_progress', 'accepted', 'rejected'])[1 + i % 4], 'initial_outreach', $3 + i, $3 + i, $3 + i,
         'Ada', 'Name' || stranger, md5(mark || 'email' || i) || '@example.org', '+1415' || 1000000 + number,
         'careers-page', '{}', null, '{"kind":"none"}', 'name' || stranger,
         reverse('+1415' || 1000000 + number)
  from generate_series(1, $2) i, spread_key, lateral (select abs(hashtext(mark || i)) % 9000000 as number) as chosen,
       lateral (select translate(number::text, '0123456789', 'abcdefghij') as stranger) as named;
insert into ph_idempotency
  select 'key_' || mark, md5(mark || 'idempotency')::uuid::text, repeat('f', 43), repeat('f', 43), 'ej_app_' || mark,
         'co_' || mark, 201, repeat('x', 400), $4, $4 + 86400000
  from spread_key;
drop table spread_key;
set session_replication_role = origin;
