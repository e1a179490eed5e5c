import type { KeyId, Repositories, StoredDelivery } from '@partner-hiring/core/ports';
import { createKyselyStorage, type Driver, type Execute } from '@partner-hiring/storage-kysely';
import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FRESH_HEALTH } from '../../core/src/domain/endpoint.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import { createPostgresDialect } from './dialect.js';
import { asyncCommit } from './driver.js';

/**
 * The number of events in each of two logs. There are half as many due deliveries. Together they fill about ten
 * thousand pages.
 */
const BACKLOG = 60_000;
/** A batch reads 64 rows through indexes a few pages deep. A scan reads a hundred times as many. */
const MOST_PAGES = 600;

const ACTIVE: KeyId = 'key_active';
const PAUSED: KeyId = 'key_paused';
const IDLE: KeyId = 'key_idle';
const KEYS = [ACTIVE, PAUSED, IDLE];
const NOW = 10_000_000;
const TOKEN = 't';

/**
 * The paused endpoint has only unsent events. Half of the active endpoint's events are unsent, and each of the others
 * has a due delivery.
 */
const FILL = `
  set session_replication_role = replica;
  insert into ph_partner (id, name, created_at) select 'ptn_' || key, key, 0 from unnest($1::text[]) key;
  insert into ph_partner_key select key, 'ptn_' || key, 'production', 0 from unnest($1::text[]) key;
  insert into ph_feed_head select key, $2, $2 from unnest($1::text[]) key on conflict do nothing;
  insert into ph_event select key, i, 'evt_' || i, 'job.opened', repeat('x', 500)
    from unnest(array['${ACTIVE}', '${PAUSED}']) key, generate_series(1, $2::integer) i;
  insert into ph_endpoint (key_id, url, state, paused_reason, paused_at, consecutive_failures, secrets, created_at,
                           watermark, lease_token, lease_until)
    values ('${ACTIVE}', 'u', 'active', null, null, 0, '[]', 0, $2::integer / 2, '${TOKEN}', 1),
           ('${PAUSED}', 'u', 'paused', 'operator', 0, 0, '[]', 0, 0, null, 0),
           ('${IDLE}', 'u', 'active', null, null, 0, '[]', 0, $2::integer, null, 0);
  insert into ph_delivery (key_id, event_id, event_at, state, attempts, cycle, due_at)
    select '${ACTIVE}', 'evt_' || i, i, 'pending', 1, 1, i from generate_series(1, $2::integer / 2) i;
  insert into ph_resume_task (application_id, key_id, url, attempts, due_at)
    select 'ej_app_' || i, case when i > $2::integer - 9 then '${IDLE}' else '${ACTIVE}' end, repeat('x', 500), 0, i
    from generate_series(1, $2::integer) i;
  set session_replication_role = origin`;

const HOLDING = { keyId: ACTIVE, token: TOKEN };
const DELIVERY: StoredDelivery = {
  keyId: ACTIVE,
  eventId: 'evt_9',
  eventAt: 9,
  attempts: 2,
  cycle: 1,
  dueAt: NOW,
  state: 'pending',
  lastAttemptAt: 5,
  lastOutcome: null,
  lastLatencyMs: null,
  pendingSince: 9,
};

const STATEMENTS: Readonly<Record<string, (all: Repositories) => Promise<unknown>>> = {
  leasing: ({ endpoints }) => endpoints.lease({ token: 'new', forMs: 1 }, NOW, 64),
  'leasing in turn': async ({ endpoints }) => {
    await endpoints.lease({ token: 'new', forMs: 1 }, NOW, 0);
    await endpoints.lease({ token: 'new', forMs: 1 }, NOW, 64);
  },
  'looking, deep in a log': ({ endpoints }) =>
    endpoints.poll(
      [ACTIVE, IDLE].map((keyId) => ({ keyId, after: BACKLOG / 2, logLimit: 64, dueLimit: 64 })),
      NOW,
    ),
  renewing: ({ endpoints }) => endpoints.renew([{ ...HOLDING, forMs: 1 }]),
  'locking what is settled': ({ endpoints }) => endpoints.findLeased([HOLDING]),
  'finding rows': ({ deliveries }) => deliveries.findEach([DELIVERY]),
  settling: ({ endpoints }) =>
    endpoints.settle([
      {
        ...HOLDING,
        state: { kind: 'active' },
        health: { ...FRESH_HEALTH, lastSuccessAt: 5 },
        watermark: BACKLOG / 2 + 1,
        release: true,
      },
    ]),
  'writing rows': ({ deliveries }) => deliveries.save([DELIVERY]),
  'giving back': ({ endpoints }) => endpoints.release([HOLDING]),
  'looking for old events': ({ events }) => events.sweep(NOW, 500),
  'sweeping rows': ({ deliveries }) => deliveries.sweep(NOW, 500),
  'counting backlogs': ({ endpoints }) => endpoints.backlogs(null, NOW, 100),
};

/** Leaves statistics of empty tables. */
const ANALYZED_TOO_EARLY = `
  update pg_class set relpages = pg_relation_size(oid) / 8192, reltuples = 0
   where relname in ('ph_event', 'ph_delivery') and relnamespace = current_schema()::regnamespace`;

describe('with a long backlog', () => {
  let database: TestSchema;
  let client: Client;
  let direct: Repositories;
  let pages: number[] = [];
  let answers: readonly unknown[] = [];

  beforeAll(async () => {
    database = createTestSchema();
    const { connectionString, schema } = database;
    await (await createPostgresStorage({ connectionString, schema })).close();
    client = new Client({ connectionString });
    await client.connect();
    await client.query(`set search_path = ${schema}`);
    const keys = `array[${KEYS.map((key) => `'${key}'`).join()}]`;
    await client.query(FILL.replaceAll('$1::text[]', keys).replaceAll('$2', String(BACKLOG)));
    const explain: Execute = async (sql, [parameters]) => {
      await client.query('begin');
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        [...(parameters ?? [])],
      );
      await client.query('rollback');
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
      pages.push((plan['Shared Hit Blocks'] ?? Infinity) + (plan['Shared Read Blocks'] ?? Infinity));
      return { rows: sql.startsWith('delete') ? [] : answers };
    };
    const inTurn = inOrder(explain);
    const driver: Driver<never> = {
      read: (work) => work(inTurn),
      write: (work) => work({ execute: inTurn, executeEarly: inTurn, executeLast: inTurn }),
      writeWithAsyncCommit: (work) => work((sql, sets) => inTurn(asyncCommit(sql), sets)),
      adopt: () => inTurn,
      openForHost: (work) => work(null, inTurn),
      runAlone: (work) => work(),
      areWritesExclusive: false,
      now: () => NOW,
      close: async () => {},
    };
    direct = createKyselyStorage(
      createPostgresDialect({ schema, announceWork: false, clock: null }),
      driver,
    ).direct;
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const touched = async (name: string) => {
    pages = [];
    await STATEMENTS[name]?.(direct);
    return Math.max(...pages);
  };

  // Plans must not depend on statistics, which a new table lacks.
  it.each(Object.keys(STATEMENTS))(
    '%s reads no more pages than a batch needs, without statistics',
    async (name) => {
      expect(await touched(name)).toBeLessThan(MOST_PAGES);
    },
  );

  it('the deletion of a sweep reads no more pages than a batch needs, without statistics', async () => {
    answers = [{ at: 0 }];
    pages = [];
    await direct.deliveries.sweep(NOW, 500);
    answers = [];
    expect(pages).toHaveLength(2);
    expect(Math.max(...pages)).toBeLessThan(MOST_PAGES);
  });

  it('reads no more pages with statistics of empty tables', async () => {
    await client.query(ANALYZED_TOO_EARLY);
    for (const name of Object.keys(STATEMENTS))
      expect([name, (await touched(name)) < MOST_PAGES]).toEqual([name, true]);
  });

  it('reads no more pages with statistics', async () => {
    await client.query('analyze ph_event, ph_delivery, ph_endpoint, ph_feed_head');
    for (const name of Object.keys(STATEMENTS))
      expect([name, (await touched(name)) < MOST_PAGES]).toEqual([name, true]);
  });

  it('taking a résumé of another key skips all due tasks of a busy key', async () => {
    for (const statistics of ['', 'analyze ph_resume_task']) {
      await client.query(statistics);
      pages = [];
      answers = [{ key_id: IDLE, application_id: `ej_app_${BACKLOG}`, due_at: BACKLOG }];
      await direct.resumeFiles.claimOfOthers({ token: 'new', forMs: 1 }, NOW, 8, [ACTIVE]);
      answers = [];
      // The keys, the first task of each, the locked ones, and the leases.
      expect(pages).toHaveLength(4);
      expect(Math.max(...pages)).toBeLessThan(MOST_PAGES);
    }
  });

  it.each([
    ['must stay', BACKLOG / 2],
    ['goes', 0],
  ])('sweeping a log looks at some batches of it, of which all %s', async (_, staying) => {
    await client.query('delete from ph_delivery where event_at > $1', [staying]);
    answers = [
      { key_id: ACTIVE, endpoint: ACTIVE, first: 1, through: BACKLOG / 2, at: 64, recorded_after: null },
    ];
    pages = [];
    await direct.events.sweep(NOW, 64);
    answers = [];
    // For each part: its endpoint, its head, its end, the deleted events and the remaining ones.
    expect(pages.length - (staying === 0 ? 0 : 1)).toBe(5 * 10);
    expect(Math.max(...pages)).toBeLessThan(MOST_PAGES);
  });

  it('a sweep searches no more of many logs than of one', async () => {
    answers = KEYS.map((key) => ({
      key_id: key,
      endpoint: key,
      first: 1,
      through: BACKLOG / 2,
      at: 64,
      recorded_after: null,
    }));
    pages = [];
    await direct.events.sweep(NOW, 64);
    answers = [];
    expect(pages).toHaveLength(5 * 10);
  });

  it('detects a scan', async () => {
    const { rows } = await client.query<{ relpages: number }>(
      "select relpages from pg_class where relname = 'ph_event' and relnamespace = $1::regnamespace",
      [database.schema],
    );
    expect(rows[0]?.relpages).toBeGreaterThan(10 * MOST_PAGES);
  });
});

function inOrder(execute: Execute): Execute {
  let last: Promise<unknown> = Promise.resolve();
  return (sql, sets) => {
    const next = last.then(() => execute(sql, sets));
    last = next.catch(() => {});
    return next;
  };
}
