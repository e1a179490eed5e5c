import { createPartnerHiring } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { Client } from 'pg';
import { median, type RunSize } from '../compare.js';
import { openDatabases } from '../databases.js';

const KEYS = { quick: 1_000, full: 50_000 } as const;
const ROUNDS = { quick: 3, full: 15 } as const;
/** What a minute brings with 10 million events a day. */
const EVENTS_A_MINUTE = Math.round(10_000_000 / 1_440);
const DAY_MS = 86_400_000;
const SWEEP_BATCH = 500;
const MINUTE_MS = 60_000;

/** Keys with idle endpoints, each with $2 events that are old and sent, and one that is young and sent. */
const FILL = `
  set search_path = partner_hiring; set session_replication_role = replica;
  insert into ph_partner select 'ptn_' || n, 'P', 0 from generate_series(1, $1) n;
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

/**
 * What many keys cost one PostgreSQL that has nothing to do: a worker's poll, the counts, an idle sweep. And how fast
 * the sweep removes old events, spread over all keys, and a minute's worth of them at 10 million a day.
 */
export async function benchManyKeys({ rounds }: RunSize, only: string): Promise<void> {
  if (!'many-keys'.includes(only) && only !== '') return;
  const size = rounds === 1 ? 'quick' : 'full';
  const databases = await openDatabases({ shared_buffers: '1GB' });
  const connectionString = await databases.create();
  const storage = await createPostgresStorage({ connectionString });
  const { operator } = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const { endpoints, events } = storage.direct;
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
  const sweepAll = async () => {
    let removed = 0;
    let last = SWEEP_BATCH;
    for (; last >= SWEEP_BATCH; removed += last) last = await events.sweep(before, SWEEP_BATCH);
    return removed;
  };

  const marking = await timed(async () => {
    while ((await endpoints.markIdle(now - MINUTE_MS, SWEEP_BATCH)) > 0);
  });
  await client.query('vacuum analyze partner_hiring.ph_feed_head');
  const poll = await medianOf(() => endpoints.lease({ token: 't', forMs: 1 }, now, 64));
  const counts = await medianOf(() => operator.deliveries.counts());
  let removed = 0;
  const sweeping = await timed(async () => {
    removed = await sweepAll();
  });
  await client.query('vacuum partner_hiring.ph_event');
  const idle = await medianOf(() => events.sweep(before, SWEEP_BATCH));
  const spread = Math.min(EVENTS_A_MINUTE, keys);
  await client.query(
    `insert into partner_hiring.ph_event select 'key_' || n, 5000, 'evt_minute_' || n, 'job.opened', repeat('x', 500)
     from generate_series(1, ${spread}) n`,
  );
  let minuteRemoved = 0;
  const minute = await timed(async () => {
    minuteRemoved = await sweepAll();
  });

  const percent = (ms: number) => `${((ms * 100) / MINUTE_MS).toFixed(2)} % of a minute`;
  console.log(`\n${keys} keys with idle endpoints on PostgreSQL ${databases.version}\n`);
  console.log('| What | Figure | Goal |');
  console.log('|---|---|---|');
  console.log(`| a poll | ${poll.toFixed(1)} ms | 5 ms |`);
  console.log(`| counts | ${counts.toFixed(0)} ms | 100 ms |`);
  console.log(`| marking all as idle | ${marking.toFixed(0)} ms | |`);
  console.log(
    `| sweeping ${removed} events | ${((removed * 1000) / sweeping).toFixed(0)} a second | 5,000 a second |`,
  );
  console.log(`| an idle sweep | ${idle.toFixed(0)} ms, ${percent(idle)} | 1 % |`);
  console.log(
    `| sweeping a minute's ${minuteRemoved} events | ${minute.toFixed(0)} ms, ${percent(minute)} | 5 % |`,
  );
  await client.end();
  await storage.close();
  await databases.close();
}
