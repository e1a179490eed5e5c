-- The same work as functions: all of a request in one call, so in one round trip, decided inside the database.
create or replace function by_hand_read(secret_hash text, application_id text, now bigint)
returns table (application partner_hiring.ph_application, counted integer) language plpgsql as $$
declare
  found_key text;
  new_count integer;
begin
  select s.key_id into found_key
  from partner_hiring.ph_key_secret s join partner_hiring.ph_partner_key k on k.id = s.key_id
  where s.hash = secret_hash and s.revoked_at is null and (s.expires_at is null or s.expires_at > now);
  if found_key is null then raise exception 'unauthorized'; end if;

  insert into partner_hiring.ph_rate_window as w (bucket_id, window_start, count)
  values ('by-hand-read:' || found_key, now - now % 60000, 1)
  on conflict (window_start, bucket_id) do update set count = w.count + 1
  returning w.count into new_count;
  if new_count > 1000000000 then raise exception 'limited'; end if;

  return query select a, new_count from partner_hiring.ph_application a
    where a.id = application_id and a.key_id = found_key;
end $$;

create or replace function by_hand_submit(
  secret_hash text, key_of_request text, body_fingerprint text, new_id text, job text, source_id text,
  first_name text, last_name text, email text, phone text, source text, resume_url text, now bigint
) returns text language plpgsql as $$
declare
  found_key text;
  stored text;
  company text;
  new_count integer;
  stamp bigint;
  reply text;
begin
  select s.key_id into found_key
  from partner_hiring.ph_key_secret s join partner_hiring.ph_partner_key k on k.id = s.key_id
  where s.hash = secret_hash and s.revoked_at is null and (s.expires_at is null or s.expires_at > now);
  if found_key is null then raise exception 'unauthorized'; end if;

  select i.reply_body into stored from partner_hiring.ph_idempotency i
  where i.key_id = found_key and i.idempotency_key = key_of_request;
  if stored is not null then return stored; end if;

  select j.company_id into company
  from partner_hiring.ph_job j
  join partner_hiring.ph_company c on c.id = j.company_id
  join partner_hiring.ph_access a on a.company_id = j.company_id and a.key_id = found_key
  where j.id = job and j.state = 'open' and a.revoked_at is null;
  if company is null then raise exception 'not open'; end if;
  if exists (
    select from partner_hiring.ph_application a where a.key_id = found_key and a.source_application_id = source_id
  ) then raise exception 'duplicate'; end if;

  insert into partner_hiring.ph_rate_window as w (bucket_id, window_start, count)
  values ('by-hand-submit:' || found_key || ':' || company, now - now % 60000, 1)
  on conflict (window_start, bucket_id) do update set count = w.count + 1
  returning w.count into new_count;
  if new_count > 1000000000 then raise exception 'limited'; end if;

  update partner_hiring.ph_feed_head h set at = greatest(h.at + 1, now) where h.key_id = found_key
  returning h.at into stamp;
  insert into partner_hiring.ph_application
    (id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at, last_status_change_at, changed_at,
     first_name, last_name, email, phone, source, answers, resume_url, resume)
  values (
    new_id, found_key, job, company, source_id, 'received', 'new', stamp, stamp, stamp, first_name, last_name,
    email, phone, source, '{}', resume_url, '{"kind":"pending","attempts":0}'
  );
  reply := json_build_object('id', new_id, 'jobId', job, 'companyId', company, 'sourceApplicationId', source_id,
    'status', 'received', 'submittedAt', stamp)::text;
  insert into partner_hiring.ph_idempotency values (
    found_key, key_of_request, body_fingerprint, body_fingerprint, new_id, company, 201, reply, stamp,
    stamp + 86400000
  );
  insert into partner_hiring.ph_resume_task (application_id, key_id, url, attempts, due_at)
  values (new_id, found_key, resume_url, 0, now);
  return reply;
end $$;
