import { hash } from 'node:crypto';

/** A row as both drivers return it. */
export type HandRow = Readonly<Record<string, string | number | null>>;

/** Runs a prepared statement, whose parameters `$1`, `$2` … occur once each and in order. */
export type HandQuery = (
  text: string,
  values: readonly unknown[],
) => readonly HandRow[] | Promise<readonly HandRow[]>;

/** The filters of a list, checked by Fastify. */
export interface HandFilters {
  readonly updated_since?: string;
  readonly cursor?: string;
  readonly company_id?: string;
  readonly status?: string;
  readonly limit: number;
}

interface List {
  readonly name: 'jobs' | 'applications';
  readonly select: string;
  readonly toJson: (row: HandRow) => object;
}

const iso = (at: HandRow[string] | undefined) => new Date(Number(at)).toISOString();

const STAGES: Readonly<Record<string, string>> = {
  initial_outreach: 'Initial Outreach',
  video_interview: 'Video Interview',
  under_review: 'Under Review',
  final_review: 'Final Review',
  hired: 'Hired',
  closed: 'Closed',
};

export const APPLICATIONS: List = {
  name: 'applications',
  select: `select id, source_application_id, job_id, status, stage, submitted_at, last_status_change_at, changed_at
    from hand_application feed where feed.key_id = $1 and feed.changed_at > $2`,
  toJson: (row) => ({
    id: row.id,
    sourceApplicationId: row.source_application_id,
    jobId: row.job_id,
    status: row.status,
    currentStage: STAGES[String(row.stage)],
    submittedAt: iso(row.submitted_at),
    lastStatusChangeAt: iso(row.last_status_change_at),
  }),
};

export const JOBS: List = {
  name: 'jobs',
  select: `select job.id, job.title, job.company_id, company.name as company_name, job.city, job.region, job.country,
      job.pay_type, job.pay_min, job.pay_max, job.pay_currency, job.schedule, job.headcount_total,
      job.headcount_filled, job.application_form, job.created_at, feed.changed_at
    from hand_key_job feed
    join hand_job job on job.id = feed.job_id
    join hand_company company on company.id = job.company_id
    where feed.visible = 1 and feed.key_id = $1 and feed.changed_at > $2`,
  toJson: (row) => ({
    id: row.id,
    title: row.title,
    company: { id: row.company_id, name: row.company_name },
    location: { city: row.city, state: row.region, country: row.country },
    compensation: { type: row.pay_type, min: row.pay_min, max: row.pay_max, currency: row.pay_currency },
    schedule: row.schedule,
    status: 'open',
    headcount: { total: row.headcount_total, filled: row.headcount_filled },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.changed_at),
    applicationFormSchema: row.application_form === null ? null : JSON.parse(String(row.application_form)),
  }),
};

/** A page and the time up to which the partner knows all changes; null for a cursor that is not of this list. */
export async function readPage(
  query: HandQuery,
  list: List,
  key: { readonly id: string; readonly head: number },
  { updated_since: since, cursor, company_id: companyId, status, limit }: HandFilters,
): Promise<{ readonly body: object; readonly through: string } | null> {
  const updatedSince = since === undefined ? null : Date.parse(since);
  const binding = hash(
    'sha256',
    JSON.stringify([list.name, key.id, updatedSince, companyId ?? null, status ?? null]),
  );
  const after = cursor === undefined ? -1 : readCursor(cursor, binding);
  if (after === null) return null;

  const values: unknown[] = [key.id, Math.max(after, updatedSince ?? -1)];
  let text = list.select;
  if (companyId !== undefined) text += ` and feed.company_id = $${values.push(companyId)}`;
  if (status !== undefined && list === APPLICATIONS) text += ` and feed.status = $${values.push(status)}`;
  const rows = await query(`${text} order by feed.changed_at limit ${limit + 1}`, values);

  const page = rows.slice(0, limit);
  const data = page.map(list.toJson);
  if (rows.length <= limit) return { body: { data }, through: iso(key.head) };
  const last = Number(page.at(-1)?.changed_at);
  return { body: { data, next_cursor: writeCursor(last, binding) }, through: iso(last) };
}

/** The cursors of both servers are the same bytes, so that their replies are. */
function writeCursor(after: number, binding: string): string {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt8(2, 0);
  bytes.writeBigUInt64BE(BigInt(after), 1);
  bytes.write(binding.slice(0, 30), 9, 'hex');
  return bytes.toString('base64url');
}

function readCursor(cursor: string, binding: string): number | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== 24) return null;
  const after = Number(bytes.readBigUInt64BE(1));
  return writeCursor(after, binding) === cursor ? after : null;
}
