import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { Client, Pool } from 'pg';
import { median, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';
import { timeLocks } from '../lock-times.js';

const KEYS = { quick: 1_000, full: 50_000 } as const;
const ROUNDS = { quick: 3, full: 15 } as const;
/** Events per minute at 10 million a day. */
const EVENTS_A_MINUTE = Math.round(10_000_000 / 1_440);
const DAY_MS = 86_400_000;
const SWEEP_BATCH = 500;
const MINUTE_MS = 60_000;

/** Keys with idle endpoints, each with $2 events that are old and sent, and one that is young and sent. */
const FILL = `
  set search_path = partner_hiring; set session_replication_role = replica;
  insert into ph_partner (id, name, created_at) select 'ptn_' || n, 'P', 0 from generate_series(1, $1) n;
  insert into ph_partner_key select 'key_' || n, 'ptn_' || n, 'production', 0 from generate_series(1, $1) n;
  insert into ph_feed_head select 'key_' || n, $3, $3 from generate_series(1, $1) n;
  insert into ph_endpoint (key_id, url, state, consecutive_failures, secrets, created_at, watermark)
    select 'key_' || n, 'https://ats.example/hooks/' || n, 'active', 0,
           json_build_array(json_build_object('sealed', repeat('s', 120), 'expiresAt', null))::text, 0, $3
    from generate_series(1, $1) n;
  insert into ph_event select 'key_' || n, i * 1000 + n % 1000, 'evt_' || n || '_' || i, 'job.opened', repeat('x', 500)
    from generate_series(1, $1) n, generate_series(1, $2) i;
  insert into ph_event select 'key_' || n, $3, 'evt_' || n, 'job.opened', repeat('x', 500) from generate_series(1, $1) n;
  set session_replication_role = origin; analyze`;

/** Rows of the other kinds that a sweep removes, one for each key: a reply, a rate window, and a delivery of an old event. */
const FILL_OTHERS = `
  set search_path = partner_hiring; set session_replication_role = replica;
  insert into ph_idempotency select 'key_' || n, 'k', 'f', 'f', 'a', 'c', 201, repeat('x', 400), 0, n
    from generate_series(1, $1) n;
  insert into ph_rate_window select n, 'bucket_' || n, 1 from generate_series(1, $1) n;
  insert into ph_delivery
    (key_id, event_id, event_at, state, attempts, cycle, due_at, last_attempt_at, last_outcome, last_latency_ms)
    select 'key_' || n, 'evt_' || n || '_1', 1000 + n % 1000, 'delivered', 2, 1, null, n, null, 1
    from generate_series(1, $1) n;
  set session_replication_role = origin; analyze`;

/**
 * What many keys cost one PostgreSQL that has nothing to do: a worker's poll, the counts, an idle sweep. And how fast
 * the sweep removes old rows, spread over all keys, and a minute's worth of events at 10 million a day. And the longest time
 * for which it holds a lock.
 */
export async function benchManyKeys({ rounds }: RunSize, only: string): Promise<void> {
  if (!'many-keys'.includes(only) && only !== '') return;
  const size = rounds === 1 ? 'quick' : 'full';
  const databases = await openDatabases({ shared_buffers: '1GB' });
  const connectionString = await databases.create();
  const pool = new Pool({ connectionString });
  const locks = timeLocks(pool);
  const storage = await createPostgresStorage({ pool });
  const { operator } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const { endpoints, events, submissions, rateWindows, deliveries } = storage.direct;
  const client = new Client({ connectionString });
  await client.connect();
  const now = Date.now();
  const before = now - 30 * DAY_MS;
  const keys = KEYS[size];
  const fill = FILL.replaceAll('$1', `${keys}`)
    .replaceAll('$2', '2')
    .replaceAll('$3', `${now - 2 * MINUTE_MS}`);
  await client.query(fill);

  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const medianOf = async (work: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let round = -3; round < ROUNDS[size]; round += 1) {
      const time = await timed(work);
      if (round >= 0) times.push(time);
    }
    return median(times);
  };
  /** Sweeps as the worker does: one batch after another, until one is not full. */
  const sweepAll = async (sweep: (limit: number) => Promise<number>): Promise<Swept> => {
    locks.take();
    const startedAt = performance.now();
    let removed = 0;
    let last = SWEEP_BATCH;
    for (; last >= SWEEP_BATCH; removed += last) last = await sweep(SWEEP_BATCH);
    return { removed, tookMs: performance.now() - startedAt, lockMs: locks.take() };
  };
  const sweepEvents = () => sweepAll((limit) => events.sweep(before, limit));

  const marked = await sweepAll((limit) => endpoints.markIdle(now - MINUTE_MS, limit));
  await client.query('vacuum analyze partner_hiring.ph_feed_head');
  const poll = await medianOf(() => endpoints.lease({ token: 't', forMs: 1 }, now, 64));
  const counts = await medianOf(() => operator.deliveries.count());
  await client.query(FILL_OTHERS.replaceAll('$1', `${keys}`));
  const others = {
    'idempotency records': await sweepAll((limit) => submissions.sweep(now, limit)),
    'rate windows': await sweepAll((limit) => rateWindows.sweep(before, limit)),
    deliveries: await sweepAll((limit) => deliveries.sweep(before, limit)),
  };
  const swept = await sweepEvents();
  await client.query('vacuum partner_hiring.ph_event');
  const idle = await medianOf(() => events.sweep(before, SWEEP_BATCH));
  const spread = Math.min(EVENTS_A_MINUTE, keys);
  await client.query(
    `insert into partner_hiring.ph_event select 'key_' || n, 5000, 'evt_minute_' || n, 'job.opened', repeat('x', 500)
     from generate_series(1, ${spread}) n`,
  );
  const minute = await sweepEvents();

  const percent = (ms: number) => `${((ms * 100) / MINUTE_MS).toFixed(2)} % of a minute`;
  console.log(`\n${keys} keys with idle endpoints on PostgreSQL ${databases.version}\n`);
  console.log('| What | Figure | Goal |');
  console.log('|---|---|---|');
  console.log(`| a poll | ${poll.toFixed(1)} ms | 5 ms |`);
  console.log(`| counts | ${counts.toFixed(0)} ms | 100 ms |`);
  for (const [rows, of] of Object.entries({ 'feeds as idle': marked, ...others, events: swept })) {
    const rate = `${((of.removed * 1000) / of.tookMs).toFixed(0)} a second`;
    const goal = rows === 'events' ? '5,000 a second' : '';
    console.log(
      `| ${rows === 'feeds as idle' ? 'marking' : 'sweeping'} ${of.removed} ${rows} | ${rate} | ${goal} |`,
    );
    printLocks(of);
  }
  console.log(`| an idle sweep | ${idle.toFixed(0)} ms, ${percent(idle)} | 1 % |`);
  console.log(
    `| sweeping a minute's ${minute.removed} events | ${minute.tookMs.toFixed(0)} ms, ${percent(minute.tookMs)} | 5 % |`,
  );
  printLocks(minute);
  await client.end();
  await storage.close();
  await pool.end();
  await databases.close();
}

/** What came of sweeping until nothing was left. */
interface Swept {
  readonly removed: number;
  readonly tookMs: number;
  readonly lockMs: readonly number[];
}

function printLocks({ lockMs }: Swept): void {
  const longest = Math.max(...lockMs).toFixed(0);
  console.log(
    `| the longest lock of that; the median | ${longest} ms; ${median(lockMs).toFixed(0)} ms | 100 ms |`,
  );
}
