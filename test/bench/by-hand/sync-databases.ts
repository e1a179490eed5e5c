import type Sqlite from 'better-sqlite3';
import type { Client } from 'pg';
import type { HandBatch, HandDatabase, KnownAccess, KnownJob } from './sync-jobs.js';

/** The columns of each table with their types in PostgreSQL, in the order of the table. */
const JOB = {
  id: 'text',
  company_id: 'text',
  title: 'text',
  city: 'text',
  region: 'text',
  country: 'text',
  pay_type: 'text',
  pay_min: 'double precision',
  pay_max: 'double precision',
  pay_currency: 'text',
  schedule: 'text',
  headcount_total: 'bigint',
  headcount_filled: 'bigint',
  application_form: 'text',
  state: 'text',
  internal_only: 'smallint',
  created_at: 'bigint',
  updated_at: 'bigint',
  synced_in: 'text',
  source_version: 'text',
} as const;

const KEY_JOB = {
  key_id: 'text',
  job_id: 'text',
  company_id: 'text',
  visible: 'smallint',
  changed_at: 'bigint',
  visible_since: 'bigint',
  first_shown_at: 'bigint',
} as const;

const EVENT = { key_id: 'text', at: 'bigint', id: 'text', type: 'text', body: 'text' } as const;

type Columns = Readonly<Record<string, string>>;

const JOB_CHANGES = Object.keys(JOB).filter((name) => !['id', 'created_at'].includes(name));

const set = (names: readonly string[]) => names.map((name) => `${name} = excluded.${name}`).join(', ');

const READ_JOBS = 'select id, company_id, source_version, state from ph_job';
const READ_ACCESS = 'select key_id, company_id from ph_access where revoked_at is null';
const JOB_EXISTS = `on conflict (id) do update set ${set(JOB_CHANGES)}`;
const KEY_JOB_EXISTS = `on conflict (key_id, job_id) do update set ${set(['company_id', 'visible', 'changed_at', 'visible_since'])}`;

/** Prepared statements, one run for each row. */
export function openSqliteByHand(handle: Sqlite.Database): HandDatabase {
  const insert = (table: string, columns: Columns, end = '') => {
    const names = Object.keys(columns);
    const values = names.map((name) => `@${name}`);
    return handle.prepare(`insert into ${table} (${names.join()}) values (${values.join()}) ${end}`);
  };
  const saveJob = insert('ph_job', JOB, JOB_EXISTS);
  const saveKeyJob = insert('ph_key_job', KEY_JOB, KEY_JOB_EXISTS);
  const addEvent = insert('ph_event', EVENT);
  const close = handle.prepare(`update ph_job set state = 'closed', updated_at = @at where id = @id`);
  const write = handle.transaction(({ jobs, closed, keyJobs, events }: HandBatch) => {
    for (const row of jobs) saveJob.run(row);
    for (const row of closed) close.run(row);
    for (const row of keyJobs) saveKeyJob.run(row);
    for (const row of events) addEvent.run(row);
  });
  return {
    readJobs: async () => handle.prepare<[], KnownJob>(READ_JOBS).all(),
    readAccess: async () => handle.prepare<[], KnownAccess>(READ_ACCESS).all(),
    write: async (batch) => write.immediate(batch),
  };
}

/** Prepared statements, one for all rows of a table. The client's search path must name the schema. */
export function openPostgresByHand(client: Client): HandDatabase {
  const items = (columns: Columns) =>
    `json_to_recordset($1::json) as item(${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join()})`;
  const insert = (table: string, columns: Columns, end = '') => {
    const names = Object.keys(columns).join();
    return `insert into ${table} (${names}) select ${names} from ${items(columns)} where true ${end}`;
  };
  const statements = {
    jobs: insert('ph_job', JOB, JOB_EXISTS),
    closed: `update ph_job set state = 'closed', updated_at = item.at
      from ${items({ id: 'text', at: 'bigint' })} where ph_job.id = item.id`,
    keyJobs: insert('ph_key_job', KEY_JOB, KEY_JOB_EXISTS),
    events: insert('ph_event', EVENT),
  } satisfies Record<keyof HandBatch, string>;
  return {
    readJobs: async () => (await client.query<KnownJob>(READ_JOBS)).rows,
    readAccess: async () => (await client.query<KnownAccess>(READ_ACCESS)).rows,
    write: async (batch) => {
      await client.query('begin');
      for (const name of Object.keys(statements) as (keyof HandBatch)[]) {
        if (batch[name].length === 0) continue;
        await client.query({ name, text: statements[name], values: [JSON.stringify(batch[name])] });
      }
      await client.query('commit');
    },
  };
}
