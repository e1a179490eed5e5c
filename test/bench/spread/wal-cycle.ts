import type { Client } from 'pg';

export interface CycleOptions {
  readonly client: Client;
  /** Whether to go on until the server would begin the next checkpoint; otherwise one burst is measured. */
  readonly isWhole: boolean;
  submitBurst(): Promise<unknown>;
}

/** The bytes of write-ahead log for a submission. */
export interface Cycle {
  /** In the first burst after the checkpoint, when almost each page is written to the log as a whole. */
  readonly first: number;
  /** In the last burst before the next checkpoint. With longer cycles, the average comes closer to this. */
  readonly last: number;
  /** From the checkpoint to the next one. */
  readonly whole: number;
  readonly submissions: number;
}

interface Position {
  readonly lsn: string;
  readonly submissions: number;
}

const POSITION = `
  select pg_current_wal_insert_lsn() as lsn, count(*)::integer as submissions from partner_hiring.ph_idempotency`;

/** The log at which the server begins a checkpoint, as its documentation says. */
const LOG_OF_A_CYCLE = `
  select (pg_size_bytes(current_setting('max_wal_size')) / (1 + current_setting('checkpoint_completion_target')::numeric))::float8
  as bytes`;

/** Makes a checkpoint, and measures the log of the submissions after it. */
export async function measureCycle({ client, isWhole, submitBurst }: CycleOptions): Promise<Cycle> {
  const { bytes: logOfCycle } = await one<{ bytes: number }>(client, LOG_OF_A_CYCLE);
  await client.query('checkpoint');
  const logSince = async (from: Position) => {
    const to = await one<Position>(client, POSITION);
    const difference = `select ('${to.lsn}'::pg_lsn - '${from.lsn}'::pg_lsn)::float8 as bytes`;
    const { bytes } = await one<{ bytes: number }>(client, difference);
    const submissions = to.submissions - from.submissions;
    return { bytes, submissions, perSubmission: bytes / submissions, to };
  };
  const start = await one<Position>(client, POSITION);
  let first: number | null = null;
  let before = start;
  for (;;) {
    await submitBurst();
    const { perSubmission: last, to } = await logSince(before);
    const { bytes, submissions, perSubmission: whole } = await logSince(start);
    first ??= whole;
    before = to;
    if (!isWhole || bytes >= logOfCycle) {
      await breakdown(client, start.lsn, submissions).catch((e: unknown) => console.log(e));
      return { first, last, whole, submissions };
    }
  }
}

async function one<Row extends object>(client: Client, sql: string): Promise<Row> {
  const { rows } = await client.query<Row>(sql);
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL must return a row.');
  return row;
}

async function breakdown(client: Client, lsn: string, n: number) {
  await client.query('create extension if not exists pg_walinspect');
  const { rows } = await client.query(
    `select coalesce(c.relname, 'other') as name, round(sum(fpi_length)/${n}) as fpi, round(sum(block_data_length)/${n}) as data, round(count(*) filter (where fpi_length > 0)::numeric/${n},2) as pages from pg_get_wal_block_info('${lsn}', pg_current_wal_flush_lsn()) b left join pg_class c on c.relfilenode = b.relfilenode group by 1 order by 2 desc nulls last limit 24`,
  );
  console.table(rows);
}
