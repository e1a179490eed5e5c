import { createPartnerHiring } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import type { TestSchema } from '@partner-hiring/test-support/postgres/database';
import { leaveSchema, takeSchema } from '@partner-hiring/test-support/postgres/schemas';
import { Pool, types } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  COMPANY_ID,
  JOB_ID,
  KEY_ID,
  sampleCompany,
  sampleDelivery,
  sampleEvent,
  sampleJob,
  samplePartner,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createSecret, describeSecret } from '../../core/src/domain/partner-key.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';

let database: TestSchema;
let pool: Pool;
let storage: Storage<PostgresTransaction>;
let sent: string[];
let notices: unknown[];

async function open(options: { pipeline?: boolean; preparedStatements?: boolean } = {}): Promise<void> {
  const { pipeline = false, preparedStatements = true } = options;
  pool = new Pool({ connectionString: database.connectionString, max: 1, pipeline });
  pool.on('connect', (client) => {
    client.on('notice', ({ message }) => notices.push(message));
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: unknown[]) => {
        const [first] = args as [string | { text: string }];
        sent.push(typeof first === 'string' ? first : first.text);
        return query(...args);
      },
    });
  });
  storage = await createPostgresStorage({ pool, schema: database.schema, preparedStatements });
  await seed(storage.direct);
  sent = [];
  notices = [];
}

beforeEach(() => {
  sent = [];
  // Migrations may cause notices.
  notices = [];
  database = takeSchema();
});
afterEach(async () => {
  await storage.close();
  await pool.end();
  await leaveSchema(database);
});

const SECRET = createSecret('production', Buffer.alloc(32, 7));

function submissionRequest(number: number): Request {
  const candidate = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.org',
    phone: '+14155550123',
  };
  return new Request('http://api.test/api/v1/external/applications', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${SECRET}`,
      'content-type': 'application/json',
      'idempotency-key': `9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a1${number}`,
    },
    body: JSON.stringify({
      jobId: JOB_ID,
      candidate,
      consentToContact: true,
      applicationFormAnswers: { licence: true },
      sourceApplicationId: `theirs-${number}`,
      resumeUrl: 'https://cv.example.org/ada.pdf',
    }),
  });
}

async function everything(): Promise<void> {
  const { direct } = storage;
  await direct.partners.list();
  await direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
  await direct.keys.touchSecrets(['none'], T0);
  await direct.endpoints.lease({ token: 't', forMs: 1 }, T0, 5);
  await storage.transaction(async (tx) => {
    const [range] = await tx.feed.take([{ keyId: KEY_ID, count: 1 }], T0);
    await tx.events.append([sampleEvent(1, range?.first ?? 0)]);
  });
  const failing = storage.transaction((tx) => tx.events.append([sampleEvent(1, 1), sampleEvent(1, 1)]));
  await expect(failing).rejects.toThrow('duplicate key');
}

async function fillLogs(count: number): Promise<void> {
  const numbers = `generate_series(1, ${count}) number`;
  await pool.query(`
    set search_path = ${database.schema};
    set session_replication_role = replica;
    insert into ph_feed_head select 'key_' || number, 1 from ${numbers};
    insert into ph_event select 'key_' || number, 1, 'evt_' || number, 'job.opened', '{}' from ${numbers};
    insert into ph_endpoint (key_id, url, state, consecutive_failures, secrets, created_at, watermark, lease_until)
      select 'key_' || number, 'u', 'active', 0, '[]', 0, 1, 0 from ${numbers};
    reset session_replication_role;
    reset search_path`);
}

function transactionLengths(): readonly number[] {
  const lengths: number[] = [];
  for (const text of sent) {
    if (text.startsWith('begin')) lengths.push(0);
    else if (text !== 'commit' && lengths.length > 0) lengths.push((lengths.pop() ?? 0) + 1);
  }
  return lengths;
}

async function one(sql: string): Promise<unknown> {
  return Object.values((await pool.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
}

it('sweeps many logs in many transactions, because each locks its endpoints', async () => {
  await open();
  await fillLogs(100);
  sent = [];
  expect(await storage.direct.events.sweep(10, 500)).toBe(100);
  // Each log's endpoint, end and events.
  expect(Math.max(...transactionLengths())).toBeLessThanOrEqual(3 * 16);
});

describe.each([true, false])('with pipeline: %s', (pipeline) => {
  it('leaves nothing on a connection after a transaction, as a pooler requires', async () => {
    await open({ pipeline });
    const settings =
      "select count(*) from pg_settings where source = 'session' and name <> 'client_encoding'";
    const before = await one(settings);
    await everything();
    expect(await one(settings)).toBe(before);
    // Other tests on this server hold locks too.
    const locks = "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()";
    expect(await one(locks)).toBe('0');
    expect(await one('select count(*) from pg_listening_channels()')).toBe('0');
    const others = sent.filter((text) => /\b(listen|set session|discard|declare)\b/i.test(text));
    expect(others).toEqual([]);
    expect(sent.filter((text) => /(?:^|; )set (?!local)/i.test(text))).toEqual([]);
  });

  it('prepares all statements by name or none', async () => {
    await open({ pipeline });
    await everything();
    expect(
      Number(await one("select count(*) from pg_prepared_statements where name like 'ph\\_%'")),
    ).toBeGreaterThan(5);
    await storage.close();
    await pool.end();
    await leaveSchema(database);
    database = takeSchema();
    await open({ pipeline, preparedStatements: false });
    await everything();
    expect(await one('select count(*) from pg_prepared_statements')).toBe('0');
  });

  it('saves 1,000 jobs for 20 keys with one constant statement for each table', async () => {
    await open({ pipeline });
    const publish = (jobs: number, keys: number) =>
      storage.transaction(async (tx) => {
        const all = Array.from({ length: jobs }, (_, index) => sampleJob(`job_${index}`));
        await tx.jobs.save(all);
        await tx.keyJobs.save(
          all.flatMap(({ id }) =>
            Array.from({ length: keys }, (_, key) => ({
              keyId: `key_${key}` as const,
              jobId: id,
              companyId: COMPANY_ID,
              visible: true,
              changedAt: T0,
              visibleSince: T0,
            })),
          ),
        );
      });
    for (let key = 0; key < 20; key += 1) {
      await storage.direct.partners.add(samplePartner(`ptn_${key}`));
      const row = {
        id: `key_${key}`,
        partnerId: `ptn_${key}`,
        environment: 'production',
        createdAt: T0,
      } as const;
      await storage.direct.keys.add(row);
    }
    sent = [];
    await publish(1, 1);
    const few = sent;
    sent = [];
    await publish(1_000, 20);
    // A slow transaction may cause a query about waiting commits.
    sent = sent.filter((text) => !text.includes('pg_stat_activity'));
    expect(sent).toEqual(few);
    expect(sent.filter((text) => text.startsWith('insert'))).toHaveLength(3);
    expect(await one(`select count(*) from ${database.schema}.ph_key_job`)).toBe('20000');
  });

  it('counts in one round trip with asynchronous commit, and waits for the disk otherwise', async () => {
    await open({ pipeline });
    await storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain("set_config('synchronous_commit', 'off', true)");
    sent = [];
    await storage.transaction(async (tx) => {
      await tx.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
      await tx.companies.save(sampleCompany());
    });
    await storage.direct.companies.save(sampleCompany());
    expect(sent.filter((text) => text.includes('synchronous_commit'))).toEqual([]);
    expect(sent.filter((text) => text === 'commit')).toHaveLength(2);
  });
});

it.each([
  ['with a pipeline', {}],
  ['without a pipeline', { pipeline: false }],
])('new submissions, alone or together, are a transaction of three statements, %s', async (_, options) => {
  await open(options);
  await storage.direct.keys.addSecret(describeSecret(KEY_ID, 'production', SECRET, T0));
  const partnerHiring = createPartnerHiring({ storage, secretKey: '0123456789abcdef'.repeat(4) });
  const submit = async (...numbers: readonly number[]) => {
    const replies = await Promise.all(numbers.map((each) => partnerHiring.fetch(submissionRequest(each))));
    return replies.map(({ status }) => status);
  };
  expect(await submit(1, 2)).toEqual([201, 201]);
  for (const numbers of [[7], [3, 4, 5]]) {
    sent = [];
    expect(await submit(...numbers)).toEqual(numbers.map(() => 201));
    const transaction = sent.slice(sent.findIndex((text) => text.startsWith('begin')));
    expect(transaction.map((text) => text.slice(0, 5))).toEqual([
      'begin',
      'with ',
      'selec',
      'with ',
      'commi',
    ]);
  }
  // Two of them are already bound, so only the commit rolls back.
  sent = [];
  expect(await submit(4, 5, 6)).toEqual([201, 201, 201]);
  expect(sent.filter((text) => text === 'rollback')).toEqual([]);
  expect(sent.filter((text) => text === 'commit')).toHaveLength(2);
  // The second look-up must follow the counts to see the commits that they waited for.
  const counted = sent.findLastIndex(
    (text) => text.startsWith('insert into') && text.includes('ph_rate_window'),
  );
  const isLookUp = (text: string) => text.startsWith('select') && text.includes('ph_idempotency');
  expect(sent.filter(isLookUp)).toHaveLength(2);
  expect(sent.findLastIndex(isLookUp)).toBe(counted + 1);
  expect(notices).toEqual([]);
});

it('counts windows on the server’s clock', async () => {
  await open();
  const before = Number(await one('select floor(extract(epoch from clock_timestamp()) * 1000)'));
  const [window] = await storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
  const after = Number(await one('select ceil(extract(epoch from clock_timestamp()) * 1000)'));
  expect(window?.countedAt).toBeGreaterThanOrEqual(before);
  expect(window?.countedAt).toBeLessThanOrEqual(after);
  expect((window?.windowStart ?? 1) % 60_000).toBe(0);
});

it('stores any response of a receiver', async () => {
  await open();
  const excerpt = 'NUL \0, half a pair \ud800, \u2028, \\u0000 and "quotes"';
  const event = sampleEvent(1, T0 + 1);
  const delivery = sampleDelivery(event, { lastOutcome: { kind: 'answered', status: 500, excerpt } });
  await storage.direct.events.append([event]);
  await storage.direct.deliveries.save([delivery]);
  expect(await storage.direct.deliveries.find(KEY_ID, [event.id])).toEqual([delivery]);
});

it("does not change the host's type parsers", async () => {
  await open();
  const parser = types.getTypeParser(types.builtins.INT8, 'text');
  await everything();
  expect(types.getTypeParser(types.builtins.INT8, 'text')).toBe(parser);
  expect(await one('select 1::bigint')).toBe('1');
});

it('sorts identifiers by bytes, like SQLite', async () => {
  await open();
  for (const id of ['ptn_b', 'ptn_B', 'ptn_a', 'ptn_é', 'ptn_1'] as const) {
    await storage.direct.partners.add(samplePartner(id));
  }
  const ids = (await storage.direct.partners.list()).map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted());
});
