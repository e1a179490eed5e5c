/** The statements that a developer would write for the same work, each prepared once and sent by itself. */
const T = 'partner_hiring';

function statement(name: string, text: string) {
  return (...values: readonly unknown[]) => ({ name, text, values: [...values] });
}

export const findApplication = statement(
  'find_application',
  `select id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at, last_status_change_at,
          changed_at
   from ${T}.ph_application where id = $1`,
);

export const findKey = statement(
  'find_key',
  `select k.id, k.environment, s.expires_at, s.revoked_at
   from ${T}.ph_key_secret s join ${T}.ph_partner_key k on k.id = s.key_id where s.hash = $1`,
);

export const countRequest = statement(
  'count_request',
  `insert into ${T}.ph_rate_window as w (bucket_id, window_start, count) values ($1, $2, 1)
   on conflict (window_start, bucket_id) do update set count = w.count + 1
   returning count`,
);

export const findIdempotency = statement(
  'find_idempotency',
  `select fingerprint, reply_status, reply_body from ${T}.ph_idempotency where key_id = $1 and idempotency_key = $2`,
);

export const findJob = statement(
  'find_job',
  `select j.*, c.name as company_name, c.environment, a.revoked_at
   from ${T}.ph_job j
   join ${T}.ph_company c on c.id = j.company_id
   left join ${T}.ph_access a on a.company_id = j.company_id and a.key_id = $1
   where j.id = $2`,
);

export const findSourceId = statement(
  'find_source_id',
  `select id from ${T}.ph_application where key_id = $1 and source_application_id = $2`,
);

export const takeStamp = statement(
  'take_stamp',
  `update ${T}.ph_feed_head set at = greatest(at + 1, $2) where key_id = $1 returning at`,
);

export const insertApplication = statement(
  'insert_application',
  `insert into ${T}.ph_application
     (id, key_id, job_id, company_id, source_application_id, status, stage, submitted_at, last_status_change_at,
      changed_at, first_name, last_name, email, phone, source, answers, resume_url, resume)
   values ($1, $2, $3, $4, $5, 'received', 'new', $6, $6, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
);

export const insertIdempotency = statement(
  'insert_idempotency',
  `insert into ${T}.ph_idempotency
     (key_id, idempotency_key, fingerprint, json_fingerprint, application_id, company_id, reply_status, reply_body,
      created_at, expires_at)
   values ($1, $2, $3, $3, $4, $5, 201, $6, $7::bigint, $7::bigint + 86400000)`,
);

export const insertResumeTask = statement(
  'insert_resume_task',
  `insert into ${T}.ph_resume_task (application_id, key_id, url, attempts, due_at) values ($1, $2, $3, 0, $4)`,
);
