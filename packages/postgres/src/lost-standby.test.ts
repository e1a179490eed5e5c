import { randomUUID } from 'node:crypto';
import { StorageUnavailable } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { createFakeStandby } from '@partner-hiring/test-support/postgres/fake-standby';
import { startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import { Client, Pool } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { sampleCompany, samplePartner } from '../../../test/conformance/suite/storage/samples.js';
import { openPostgresStorage, type PostgresStorageOptions } from './create-postgres-storage.js';
import type { WritePace } from './write-watch.js';

/** A fifth of the usual pace. */
const PACE: WritePace = { slowMs: 100, overdueMs: 200, answerMs: 200, lookEveryMs: 50 };
/** Noticing a lost standby takes a quarter of a second. Otherwise a commit would wait for the statement's timeout. */
const NOTICED_MS = 5_000;

const SCHEMA = 'lost_standby';

const server = await startPostgresServer({ fsync: 'off' });
const administrator = new Client({ connectionString: server.url });
await administrator.connect();
await administrator.query('set synchronous_commit = off');
const standby = createFakeStandby(server.url, administrator);
afterAll(async () => {
  await administrator?.end();
  await server?.stop();
});

afterEach(() => standby.bringBack());

async function open(
  options: Partial<PostgresStorageOptions> = {},
  pace: Partial<WritePace> = {},
): Promise<Storage<unknown>> {
  const usual = { connectionString: server.url, schema: SCHEMA };
  const all = { ...usual, ...options } as PostgresStorageOptions;
  const storage = await openPostgresStorage(all, { ...PACE, ...pace });
  onTestFinished(() => storage.close());
  return storage as Storage<unknown>;
}

let partners = 0;
function add(storage: Storage<unknown>): Promise<unknown> {
  partners += 1;
  return storage.direct.partners.add(samplePartner(`ptn_${partners}`));
}

async function outcomeOf(work: Promise<unknown>) {
  const startedAt = performance.now();
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { error, tookMs: performance.now() - startedAt };
}

const mayBeDone = (error: unknown) => error instanceof StorageUnavailable && error.mayBeDone;

describe('a storage whose standby does not answer', () => {
  it('answers a commit within seconds as unknown, others at once, reads as ever, and all goes on by itself', async () => {
    const storage = await open();
    await add(storage);
    await standby.lose();
    const first = await outcomeOf(add(storage));
    const unknown = `ptn_${partners}`;
    expect(mayBeDone(first.error)).toBe(true);
    expect(first.tookMs).toBeLessThan(NOTICED_MS);
    // A cancelled commit would complete without the standby.
    expect(await standby.waiting()).toHaveLength(1);

    const others = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(add(storage))));
    for (const { error } of others) {
      expect(error).toBeInstanceOf(StorageUnavailable);
      expect(mayBeDone(error)).toBe(false);
      expect(String(error)).toMatch(/standby .*synchronous_standby_names/);
    }
    expect(await standby.waiting()).toHaveLength(1);
    expect(await outcomeOf(storage.direct.partners.list())).toMatchObject({ error: null });
    const counted = storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
    expect(await counted).toMatchObject([{ count: 1 }]);

    await standby.bringBack();
    await expect.poll(async () => (await outcomeOf(add(storage))).error).toBeNull();
    expect((await storage.direct.partners.list()).map(({ id }) => id)).toContain(unknown);
  });

  it('lets only four commits wait where many are begun one after another', async () => {
    const storage = await open({}, { slowMs: 1, overdueMs: 500 });
    await standby.lose();
    const outcomes: ReturnType<typeof outcomeOf>[] = [];
    for (let count = 1; count <= 4; count += 1) {
      outcomes.push(outcomeOf(add(storage)));
      await Promise.race([expect.poll(standby.waiting, { interval: 5 }).toHaveLength(count), outcomes[0]]);
    }
    for (let count = 0; count < 11; count += 1) outcomes.push(outcomeOf(add(storage)));
    const most = new Set<number>();
    const all = Promise.all(outcomes);
    let isOver = false;
    void all.then(() => {
      isOver = true;
    });
    while (!isOver) most.add((await standby.waiting()).length);
    expect(Math.max(...most)).toBeLessThanOrEqual(4);
    for (const { error, tookMs } of await all) {
      expect(error).toBeInstanceOf(StorageUnavailable);
      expect(tookMs).toBeLessThan(NOTICED_MS);
    }
  });

  it.each([1, 2, 10])('is noticed where the commits have taken all connections, %s of them', async (max) => {
    const connections = { maxConnections: max } as Partial<PostgresStorageOptions>;
    // On a slow machine, the last commit may start long after the first.
    const storage = await open(connections, { slowMs: NOTICED_MS });
    await standby.lose();
    const all = Array.from({ length: max }, () => outcomeOf(add(storage)));
    await expect.poll(async () => (await standby.waiting()).length, { interval: 10 }).toBe(max);
    for (const { error, tookMs } of await Promise.all(all)) {
      expect(mayBeDone(error)).toBe(true);
      expect(tookMs).toBeLessThan(NOTICED_MS);
    }
    expect((await outcomeOf(storage.direct.partners.list())).error).toBeNull();
    expect(mayBeDone((await outcomeOf(add(storage))).error)).toBe(false);
  });

  it('is noticed by the pool of a host too, piped or not', async () => {
    for (const pipeline of [true, false]) {
      const pool = new Pool({ connectionString: server.url, pipeline });
      pool.on('error', () => {});
      const storage = await open({ pool } as Partial<PostgresStorageOptions>);
      await standby.lose();
      const { error, tookMs } = await outcomeOf(add(storage));
      expect([mayBeDone(error), tookMs < NOTICED_MS]).toEqual([true, true]);
      await standby.bringBack();
      await expect.poll(async () => (await outcomeOf(add(storage))).error).toBeNull();
      await storage.close();
      await pool.end();
    }
  });

  it('is noticed by another process too, which waits for a row that the waiting commit holds', async () => {
    const [storage, other] = [await open(), await open()];
    await storage.direct.companies.addMissing([sampleCompany()]);
    await standby.lose();
    const first = outcomeOf(storage.direct.companies.save({ ...sampleCompany(), name: 'First' }));
    await expect.poll(standby.waiting).toHaveLength(1);
    const second = await outcomeOf(other.direct.companies.save({ ...sampleCompany(), name: 'Second' }));
    expect(second.error).toBeInstanceOf(StorageUnavailable);
    expect(mayBeDone(second.error)).toBe(false);
    expect(second.tookMs).toBeLessThan(NOTICED_MS);
    expect(mayBeDone((await first).error)).toBe(true);
    await standby.bringBack();
    expect((await storage.direct.companies.list()).map(({ name }) => name)).toEqual(['First']);
  });

  it('a process that starts meanwhile, or has lost the waiting commits, finds out by its own', async () => {
    await (await open()).close();
    await standby.lose();
    const storage = await open();
    expect(mayBeDone((await outcomeOf(add(storage))).error)).toBe(true);
    // Ends the waiting commits while the standby is still gone.
    for (const pid of await standby.waiting())
      await administrator.query('select pg_terminate_backend($1)', [pid]);
    const again = async () => {
      const { error, tookMs } = await outcomeOf(add(storage));
      return mayBeDone(error) && tookMs < NOTICED_MS;
    };
    await expect.poll(again).toBe(true);
  });
});

it.each(['warning', 'error'])(
  'a commit whose wait was cancelled is unknown, where the role gets each %s',
  async (level) => {
    const storage = await open({
      connectionString: `${server.url}?options=${encodeURIComponent(`-c client_min_messages=${level}`)}`,
    } as Partial<PostgresStorageOptions>);
    await standby.lose();
    const outcome = outcomeOf(add(storage));
    await expect.poll(standby.waiting).toHaveLength(1);
    await administrator.query('select pg_cancel_backend($1)', [...(await standby.waiting())]);
    const { error } = await outcome;
    expect(mayBeDone(error)).toBe(true);
    expect(String(error)).toContain('without waiting for its synchronous standby');
    // The row exists on this server.
    expect(await storage.direct.partners.find(`ptn_${partners}`)).not.toBeNull();
  },
);

describe('a partner', () => {
  let fixture: Fixture;
  let partner: Partner;
  let jobId: string;
  beforeEach(async () => {
    fixture = await createFixture({ storage: await open(), runtime: createSystemRuntime() });
    partner = await createPartner(fixture, { endpoint: false });
    ({ jobId } = await createEmployer(fixture, partner));
  });
  afterEach(() => fixture.close());

  const timed = async (body: unknown, key: string) => {
    const startedAt = performance.now();
    const reply = await partner.submit(body, key);
    return { reply, tookMs: performance.now() - startedAt };
  };

  it('gets 503 with Retry-After for submissions and replays until the standby answers, never a 201, and reads go on', async () => {
    const known = { body: submission(jobId), key: randomUUID() };
    const stored = await partner.submit(known.body, known.key);
    expect(stored.status).toBe(201);
    await standby.lose();
    const lost = { body: submission(jobId), key: randomUUID() };
    const first = await timed(lost.body, lost.key);
    expect(first.reply.status).toBe(503);
    expect(first.tookMs).toBeLessThan(NOTICED_MS);
    for (const { body, key } of [lost, known, { body: submission(jobId), key: randomUUID() }]) {
      const reply = await partner.submit(body, key);
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).not.toBeNull();
    }
    expect(await standby.waiting()).toHaveLength(1);
    expect((await partner.get('/jobs')).status).toBe(200);

    await standby.bringBack();
    await expect.poll(async () => (await partner.submit(known.body, known.key)).text).toBe(stored.text);
    const replayed = await partner.submit(lost.body, lost.key);
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  });

  it('gets no 201 for a submission that was committed without the standby, until the standby has it', async () => {
    await standby.lose();
    const body = submission(jobId);
    const key = randomUUID();
    const first = partner.submit(body, key);
    await expect.poll(standby.waiting).toHaveLength(1);
    await administrator.query('select pg_cancel_backend($1)', [...(await standby.waiting())]);
    expect((await first).status).toBe(503);
    // The row exists, and this process does not know that the standby is lost.
    for (let round = 0; round < 3; round += 1) expect((await partner.submit(body, key)).status).toBe(503);
    await standby.bringBack();
    await expect.poll(async () => (await partner.submit(body, key)).status).toBe(201);
    expect((await partner.submit(body, key)).headers.get('idempotent-replayed')).toBe('true');
    const { rows } = await administrator.query(
      `select count(*)::int from ${SCHEMA}.ph_application where job_id = $1`,
      [jobId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('at the start', () => {
  async function warningsOf(): Promise<readonly string[]> {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    for (let round = 0; round < 2; round += 1) await (await open()).close();
    const warnings = warn.mock.calls.map(([message]) => String(message));
    return warnings.filter((message) => message.includes('standby'));
  }

  it('a server that stands alone is not warned of', async () => {
    expect(await warningsOf()).toEqual([]);
  });

  it('a role that may not ask about standbys is not either', async () => {
    const url = new URL(server.url);
    url.username = url.password = 'few';
    await administrator.query(
      "create role few login password 'few'; grant create on database postgres to few",
    );
    await administrator.query('revoke select on pg_stat_replication from public');
    onTestFinished(async () => {
      await administrator.query('grant select on pg_stat_replication to public');
      await administrator.query('drop owned by few; drop role few');
    });
    const own = { connectionString: url.href, schema: 'of_few' } as Partial<PostgresStorageOptions>;
    await (await open(own)).close();
  });

  it('one with a standby that is not synchronous is warned of once, with the command that mends it', async () => {
    // The server takes a client that reads the log for a standby.
    const reader = new Client({ connectionString: server.url, replication: 'true' } as object);
    await reader.connect();
    onTestFinished(() => reader.end());
    const [warning, ...others] = await warningsOf();
    expect(others).toEqual([]);
    expect(warning).toMatch(/has a standby, .*201.*`alter system set synchronous_standby_names = '\*'`/);
  });
});
