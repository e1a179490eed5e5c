import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import type { RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';

const ROWS = { quick: 5_000, full: 100_000 } as const;
/** The memory that the export needs beside that of the program. */
const GOAL_MB = 100;
const START = 1_700_000_000_000;

/** Tables whose rows come with an application: itself, its stored reply, one event, and two requests. */
const TABLES = ['application', 'idempotency', 'event', 'request'] as const;
type Table = (typeof TABLES)[number];

/** The same text runs on both databases. Values have the lengths of real ones. */
function fillSql(rows: number, schema: string): readonly string[] {
  const numbers = `with recursive numbers (n) as (select cast(1 as bigint) union all select n + 1 from numbers where n < ${rows})`;
  const at = `${START} + n`;
  const id = "'ej_app_01m8mh6n' || (100000000000000000 + n)";
  const uuid = "'3f0a8c6e-5b1d-4e2f-9a7c-' || (100000000000 + n)";
  const answers = `'{"right_to_work":true,"shift":"nights","why":"${'I like the work. '.repeat(8)}"}'`;
  const resume = '\'{"kind":"fetched","location":"resumes/ej_app_01m8mh6n.pdf","fetchedAt":1700000000000}\'';
  return [
    `insert into ${schema}ph_partner (id, name, created_at) values ('ptn_1', 'P', 0)`,
    `insert into ${schema}ph_partner_key (id, partner_id, environment, created_at) values ('key_1', 'ptn_1', 'production', 0)`,
    `insert into ${schema}ph_feed_head (key_id, at, event_at) values ('key_1', ${START}, 0)`,
    `insert into ${schema}ph_company values ('co_1', 'C', 'production', 0)`,
    `insert into ${schema}ph_job (id, company_id, title, city, region, country, pay_type, pay_currency, headcount_filled,
       state, internal_only, created_at, updated_at)
     values ('job_1', 'co_1', 'Cook', 'Reno', 'NV', 'US', 'hourly', 'USD', 0, 'open', 0, 0, 0)`,
    `${numbers} insert into ${schema}ph_application (id, key_id, job_id, company_id, source_application_id,
       idempotency_key, status, stage, submitted_at, last_status_change_at, changed_at, first_name, last_name, email, phone,
       source, answers, resume_url, resume, last_name_key, email_key, phone_key)
     select ${id}, 'key_1', 'job_1', 'co_1', 'application-' || (1000000 + n), ${uuid}, 'accepted', 'hired', ${at}, ${at},
       ${at}, 'Gabriela', 'Lopez Marin' || n, 'gabriela.lopez' || n || '@example.org', '+14155550123', 'careers-page',
       ${answers}, 'https://files.ats.example/resumes/' || n || '.pdf?signature=0123456789abcdef0123456789abcdef',
       ${resume}, 'lopez marin' || n, 'gabriela.lopez' || n || '@example.org', '32105555141+'
     from numbers`,
    `${numbers} insert into ${schema}ph_idempotency
     select 'key_1', ${uuid}, '${'f'.repeat(43)}', '${'j'.repeat(43)}', ${id}, 'co_1', 201, '${'{'.repeat(420)}', ${at},
       ${at} + 86400000 from numbers`,
    `${numbers} insert into ${schema}ph_event
     select 'key_1', ${at}, 'evt_01m8mh6n' || (100000000000000000 + n), 'application.status_changed', '${'b'.repeat(520)}'
     from numbers`,
    `${numbers} insert into ${schema}ph_request
     select ${uuid}, ${at}, 0, 'key_1', null, 'POST', '/applications', 201, null, '[]', 12, ${id}, 'job_1', 0, 1, ${at}
     from numbers`,
  ];
}

interface Filled {
  readonly name: string;
  readonly connection: readonly string[];
  /** The bytes of a table with its indexes. */
  bytesOf(table: Table): Promise<number>;
  close(): Promise<void>;
}

async function fillSqlite(rows: number): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-sizing-'));
  const file = join(folder, 'sizing.sqlite');
  await (await createSqliteStorage({ file })).close();
  const handle = new Sqlite(file);
  handle.pragma('foreign_keys = off');
  for (const sql of fillSql(rows, '')) handle.exec(sql);
  const sizes = handle.prepare(
    "select sum(pgsize) as bytes from dbstat where name = $1 or name in (select name from sqlite_schema where tbl_name = $1 and type = 'index')",
  );
  return {
    name: 'SQLite',
    connection: ['--database', file],
    bytesOf: async (table) => (sizes.get({ 1: `ph_${table}` }) as { readonly bytes: number }).bytes,
    close: async () => {
      handle.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function fillPostgres(rows: number): Promise<Filled> {
  const databases = await openDatabases({ shared_buffers: '1GB', max_wal_size: '8GB' });
  const connectionString = await databases.create();
  await (await createPostgresStorage({ connectionString })).close();
  const client = new Client({ connectionString });
  await client.connect();
  for (const sql of fillSql(rows, 'partner_hiring.')) await client.query(sql);
  await client.query('vacuum analyze');
  return {
    name: `PostgreSQL ${databases.version}`,
    connection: ['--database', connectionString],
    bytesOf: async (table) => {
      const sql = `select pg_total_relation_size('partner_hiring.ph_${table}')::float8 as bytes`;
      return (await client.query<{ readonly bytes: number }>(sql)).rows[0]?.bytes ?? 0;
    },
    close: async () => {
      await client.end();
      await databases.close();
    },
  };
}

/** Prints the largest memory of the process when it exits, in kilobytes. */
const MEASURED =
  "data:text/javascript,process.on('exit',()=>console.error('RSS '+process.resourceUsage().maxRSS))";

/** Otherwise V8 takes what the machine has before it collects garbage. */
const SMALL_HEAP = '--max-old-space-size=60 --max-semi-space-size=4';

interface Run {
  readonly memoryMb: number;
  readonly seconds: number;
}

/** Runs a command of the command line. Returns its largest resident memory. */
function run({ connection }: Filled, ...words: readonly string[]): Run {
  const args = ['--import', MEASURED, 'packages/cli/dist/cli.js', ...connection, ...words];
  const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${SMALL_HEAP}` };
  const startedAt = performance.now();
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  const memoryMb = Number(/RSS (\d+)/.exec(stderr)?.[1]) / 1_024;
  if (Number.isNaN(memoryMb)) throw new Error(`${words[0]} failed: ${stderr}`);
  return { memoryMb, seconds: (performance.now() - startedAt) / 1_000 };
}

function exportAll(filled: Filled): Run {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-export-'));
  const file = join(folder, 'all.jsonl');
  const measured = run(filled, 'export-all', file);
  const isWhole = statSync(file).size > 0;
  rmSync(folder, { recursive: true, force: true });
  if (!isWhole) throw new Error('The export has no rows.');
  return measured;
}

/** The bytes of the rows that an application brings, and the memory of an export of all of them. */
export async function benchSizing(
  { rounds }: RunSize,
  only = '',
  _against = '',
  asked: number | null = null,
): Promise<void> {
  const rows = asked ?? (rounds === 1 ? ROWS.quick : ROWS.full);
  console.log(
    `\nSizes with ${rows} applications: bytes of a row with its indexes, and the export of everything\n`,
  );
  console.log(
    `| Storage | ${TABLES.join(' | ')} | export: seconds | its memory in MB | of this, without the program, at most ${GOAL_MB} |`,
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const fill of [fillSqlite, fillPostgres]) {
    if (!fill.name.toLowerCase().includes(only.toLowerCase())) continue;
    const filled = await fill(rows);
    try {
      const bytes: number[] = [];
      for (const table of TABLES) bytes.push(Math.round((await filled.bytesOf(table)) / rows));
      const alone = run(filled, 'audit', 'list', '--limit', '1');
      const { memoryMb, seconds } = exportAll(filled);
      const added = memoryMb - alone.memoryMb;
      const figures = [...bytes, seconds.toFixed(1), memoryMb.toFixed(0), added.toFixed(0)];
      console.log(`| ${[filled.name, ...figures].join(' | ')} |`);
    } finally {
      await filled.close();
    }
  }
}
