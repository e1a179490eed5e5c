-- Rows for one key: $1 the key, $2 its companies, $3 how many jobs and applications. Two in five belong to the
-- first company, so that each filter leaves more than a page. Identifiers sort by time, as the product's do.
with numbered as (
  select i, lpad(to_hex(1700000000000 + i), 12, '0') || substr(md5($1::text || i), 1, 14) as mark,
         ($2::text[])[case when i % 5 < 2 then 1 else 1 + i % cardinality($2::text[]) end] as company
  from generate_series(1, $3::integer) as i
), jobs as (
  insert into partner_hiring.ph_job
    (id, company_id, title, city, region, country, pay_type, pay_min, pay_max, pay_currency, schedule,
     headcount_total, headcount_filled, application_form, state, internal_only, created_at, updated_at)
  select 'job_' || mark, company, 'Warehouse associate ' || i, 'Reno', 'NV', 'US', 'hourly', 21.5, 26,
         'USD', 'full_time', 4, 1, null, 'open', 0, 1700000000000 + i, 1700000000000 + i
  from numbered
), projected as (
  insert into partner_hiring.ph_key_job (key_id, job_id, company_id, visible, changed_at, visible_since)
  select $1, 'job_' || mark, company, 1, 1700000000000 + i, 1700000000000 + i
  from numbered
)
insert into partner_hiring.ph_application
  (id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at, last_status_change_at,
   changed_at, first_name, last_name, email, phone, source, answers, resume_url, resume)
select 'ej_app_' || mark, $1, 'job_' || mark, company, 'source-' || i,
       (array['received', 'in_progress', 'accepted', 'rejected'])[1 + (i / 7) % 4], 'initial_outreach',
       1700000000000 + i, 1700000000000 + i, 1700000000000 + i, 'Ada', 'Lovelace', 'ada@example.org',
       '+14155550123', 'careers-page', '{}', null, '{"kind":"none"}'
from numbered
