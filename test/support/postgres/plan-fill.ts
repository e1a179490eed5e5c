/** Partners, keys and companies: enough for the planner to prefer indexes. */
const FEW = 5_000;
/** Rows of the tables that grow. Statistics are exact up to 30,000 rows. */
const ROWS = 30_000;

/** Rows for every table, in which each partner has many of most kinds. */
export const PLAN_FILL = `
  set local session_replication_role = replica;
  insert into ph_partner (id, name, created_at) select 'ptn_' || n, 'P', n from generate_series(1, ${FEW}) n;
  insert into ph_partner_key select 'key_' || n, 'ptn_' || n, 'production', n from generate_series(1, ${FEW}) n;
  insert into ph_key_secret select md5(n::text), 'key_' || n, 'p', 'l', n from generate_series(1, ${FEW}) n;
  insert into ph_feed_head (key_id, at) select 'key_' || n, n from generate_series(1, ${FEW}) n;
  insert into ph_endpoint (key_id, url, state, paused_reason, paused_at, consecutive_failures, first_failure_at, warn_at, secrets, created_at, watermark, leased_at)
    select 'key_' || n, 'u', case when n % 70 = 0 then 'paused' else 'active' end, case when n % 70 = 0 then 'gone' end,
    case when n % 70 = 0 then n end, 0, case when n % 50 = 0 then n end, case when n % 50 = 0 then n end, '[]', n, n, n
    from generate_series(1, ${FEW}) n;
  insert into ph_company select 'co_' || n, 'C', 'production', n from generate_series(1, ${FEW}) n;
  insert into ph_name_word select 'job_' || n, w || n % 9000, (array['partner', 'company', 'job'])[n % 3 + 1]
    from generate_series(1, ${ROWS}) n, unnest(array['acme', 'word']) w;
  insert into ph_access select 'key_' || n % 3, 'co_' || n, 1 from generate_series(1, ${FEW}) n;

  insert into ph_job select 'job_' || n, 'co_' || n % 3, 't', 'c', 'r', 'US', 'hourly', null, null, 'USD', null, null,
    0, null, (array['open', 'closed', 'archived'])[n % 3 + 1], 0, n, n, case when n % 6 = 0 then 'op_1' end from generate_series(1, ${ROWS}) n;
  insert into ph_key_job select 'key_' || n % 3, 'job_' || n, 'co_' || n % 500, n % 2, n, 1 from generate_series(1, ${ROWS}) n;
  insert into ph_application
    (id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at, last_status_change_at, changed_at,
     first_name, last_name, email, phone, source, answers, resume_url, resume, last_name_key, resume_failed_at, phone_key)
    select 'ej_app_' || n, 'key_' || n % 3, 'job_' || n % 3, 'co_' || n % 3, 's' || n,
    (array['received', 'in_progress', 'accepted', 'rejected'])[n % 4 + 1], 's', n, n, n, 'f', 'l',
    'Mail' || n % 9000 || '@example.org', '+1415' || n % 9000, null, '{}', null, '{}', md5(n::text),
    case when n % 90 < 2 then n end, reverse('+1415' || n % 9000) from generate_series(1, ${ROWS}) n;
  insert into ph_idempotency select 'key_' || n % 3, 'k' || n, 'f', 'f', 'ej_app_' || n, 'c', 201, '{}', n, n
    from generate_series(1, ${ROWS}) n;
  insert into ph_resume_task select 'ej_app_' || n, 'key_' || n % 3, 'u', 1, n from generate_series(1, ${FEW}) n;
  insert into ph_resume_removal select 'ej_app_' || n, 'l', 1, n from generate_series(1, ${FEW}) n;

  insert into ph_event select 'key_' || n % 200, n, 'evt_' || n, 'job.opened', '{}' from generate_series(1, ${ROWS}) n;
  insert into ph_delivery
    (key_id, event_id, event_at, state, attempts, cycle, due_at, last_attempt_at, last_outcome, last_latency_ms)
    select 'key_' || n % 200, 'evt_' || n, n,
    (array['pending', 'delivered', 'dead', 'cancelled'])[n % 4 + 1], 1, 1, case when n % 4 = 0 then n end, n, null, null
    from generate_series(1, ${ROWS}) n;
  insert into ph_attempt select key_id, event_id, 1, 1, event_at, 1, '{}' from ph_delivery;
  insert into ph_delivery_evidence
    select 'key_' || n % 500, (n % 10 = 0)::integer, n, 1, n, '[[0,1,200,1,1]]' from generate_series(1, ${ROWS}) n;
  insert into ph_alert (id, kind, key_id, reason, at)
    select 'al_' || n, 'endpoint_paused', 'key_' || n, 'gone', n from generate_series(1, ${FEW}) n;
  insert into ph_inbox_head select 'key_' || n, 1 from generate_series(1, ${FEW}) n;
  insert into ph_inbox_entry (application_id, at, key_id, kind, retry_at)
    select 'ej_app_' || n, n, 'key_' || n % 200, 'application.submitted', case when n % 9 = 0 then n end
    from generate_series(1, ${ROWS}) n;
  insert into ph_inbox_erasure (application_id, at, key_id, retry_at, received_at)
    select 'ej_app_' || n, n, 'key_' || n % 200, n, case when n % 9 > 0 then n end from generate_series(1, ${ROWS}) n;

  insert into ph_rate_window select n % 5, 'b' || n, 1 from generate_series(1, ${FEW}) n;
  insert into ph_operation (id, plan, state, done, skipped, failures, created_at, due_at, updated_at, finished_at)
    select 'op_' || n, '{}', (array['running', 'done'])[n % 2 + 1], 0, 0, 0, n, n, n,
    case when n % 2 = 1 then n end from generate_series(1, ${FEW}) n;
  insert into ph_operation_input select 'op_' || n, 0, '[]' from generate_series(1, ${FEW}) n;
  insert into ph_worker select 'wkr_' || n, 'h', n, '1', null, n, n, null from generate_series(1, ${FEW}) n;
  insert into ph_hour_count select (array['request', 'attempt'])[n % 2 + 1], 'key_' || n % 300, n, 'failed', 1
    from generate_series(1, ${ROWS}) n;
  insert into ph_request select 'r' || n, n, n % 2, 'key_' || n % 3, null, 'POST', '/applications', 201, null, '[]', 1,
    'ej_app_' || n, 'job_' || n % 3, 0, 1, n from generate_series(1, ${ROWS}) n;
  insert into ph_request_read select 'key_' || n % 3, (array['/jobs', '/applications', '/applications/{id}'])[n % 3 + 1],
    n, 1, n, n, 'r' from generate_series(1, ${ROWS}) n;
  insert into ph_readiness select 'key_' || n, 'succeeded', n, 'r', n, 'r', null from generate_series(1, ${ROWS}) n;
  insert into ph_audit (id, number, at, actor_id, door, act, object_kind, object_id, objects)
    select 'aud_' || lpad(n::text, 8, '0'), 0, n, 'user_' || n % 50, 'library', case when n % 40 = 0 then 'jobs.close' else 'act_' || n % 40 end,
      'job', 'job_' || n % 900, '[]' from generate_series(1, ${ROWS}) n;
  -- Every tenth entry has more objects.
  insert into ph_audit (id, number, at, actor_id, door, act, object_kind, object_id, objects)
    select 'aud_' || lpad(n::text, 8, '0'), number, n, 'user_' || n % 50, 'library', 'act_1', 'job', 'job_' || n % 900 + number, '[]'
    from generate_series(10, ${ROWS}, 10) n, generate_series(1, 5) number;
`;
