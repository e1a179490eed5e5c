import { StorageUnavailable } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import { startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { startDatabaseProxy } from '@partner-hiring/test-support/network/tcp-proxy';
import { type StartedPostgres, startPostgresServer } from '@partner-hiring/test-support/postgres/server';
import { Client } from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { samplePartner } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage, type PostgresStorageOptions } from './create-postgres-storage.js';
import { listenForWork, workChannel } from './listen-for-work.js';
import { migratePostgres } from './migrate-postgres.js';

const TIMEOUTS = { connectMs: 2_000 };
/** Far below the timeout of a server that does not respond. */
const SOON_MS = 1_500;

const [first, second] = await Promise.all([
  startPostgresServer({ fsync: 'off' }),
  startPostgresServer({ fsync: 'off' }),
]);
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
});

async function run(server: StartedPostgres, ...commands: readonly string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  let rows: unknown[] = [];
  for (const command of ['set default_transaction_read_only = off', ...commands]) {
    ({ rows } = await client.query(command));
  }
  await client.end();
  return rows;
}

async function switchTo(writer: StartedPostgres): Promise<void> {
  for (const server of [first, second]) {
    await run(
      server,
      `alter system set default_transaction_read_only = ${server === writer ? 'off' : 'on'}`,
      'select pg_reload_conf()',
    );
    // The server's processes reload the setting one after another.
    const readOnly = server === writer ? 'off' : 'on';
    await expect
      .poll(async () => {
        const client = new Client({ connectionString: server.url });
        await client.connect();
        const { rows } = await client.query('show default_transaction_read_only');
        await client.end();
        return rows;
      })
      .toEqual([{ default_transaction_read_only: readOnly }]);
  }
}

function together(...urls: readonly string[]): string {
  return first.url.replace(/@[^/]*/, `@${urls.map((each) => new URL(each).host).join(',')}`);
}

async function open(
  connectionString: string,
  options: Partial<PostgresStorageOptions> = {},
): Promise<Storage<unknown>> {
  const storage = await createPostgresStorage({ connectionString, timeouts: TIMEOUTS, ...options });
  onTestFinished(() => storage.close());
  return storage as Storage<unknown>;
}

async function partnersOn(server: StartedPostgres): Promise<unknown[]> {
  return run(server, 'select id from partner_hiring.ph_partner order by id');
}

let partners = 0;
const add = (storage: Storage<unknown>) => {
  partners += 1;
  return storage.direct.partners.add(samplePartner(`ptn_${partners}`));
};

describe('of several hosts', () => {
  it('the one that accepts writes migrates and is written to, wherever it stands', async () => {
    await switchTo(second);
    const storage = await open(together(first.url, second.url));
    await add(storage);
    expect(await partnersOn(second)).toHaveLength(1);
    const migrated = "select 1 from pg_namespace where nspname = 'partner_hiring'";
    expect(await run(first, migrated)).toEqual([]);

    await switchTo(first);
    const plan = await migratePostgres({ connectionString: together(second.url, first.url) });
    expect(plan.length).toBeGreaterThan(0);
    expect(await run(first, migrated)).toHaveLength(1);
  });

  it('another one takes over: what is under way fails at most once, and all goes on there', async () => {
    await switchTo(first);
    const storage = await open(together(first.url, second.url));
    await Promise.all([add(storage), add(storage), add(storage)]);
    const before = (await partnersOn(second)).length;

    await switchTo(second);
    // A single statement uses the server's default; transactions set `read write`.
    const charge = () => storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);
    await expect(charge()).rejects.toBeInstanceOf(StorageUnavailable);
    await Promise.all([add(storage), charge(), add(storage), add(storage)]);
    expect(await partnersOn(second)).toHaveLength(before + 3);
  });

  it('one that does not answer at all holds nobody up who finds another', async () => {
    await switchTo(second);
    const silent = await startRawServer(() => {});
    const startedAt = performance.now();
    const storage = await open(together(`postgres://x@127.0.0.1:${silent.port}`, second.url));
    await add(storage);
    expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
  });

  it('the writer falls silent: the next connections go to the other within the time to connect', async () => {
    await switchTo(first);
    const proxy = await startDatabaseProxy(first.url);
    onTestFinished(() => proxy.close());
    const storage = await open(together(proxy.connectionString, second.url), {
      timeouts: { connectMs: 400, statementMs: 400 },
    });
    await add(storage);
    proxy.swallow();
    await switchTo(second);
    await expect(add(storage)).rejects.toBeInstanceOf(StorageUnavailable);
    await add(storage);
  });

  it('none accepts writes: what each of them said is in the error, without credentials', async () => {
    await switchTo(first);
    const opening = open(together('postgres://127.0.0.1:1', second.url));
    await expect(opening).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(opening).rejects.toThrow(
      new RegExp(
        `accepts writes.*127\\.0\\.0\\.1:1: .*ECONNREFUSED.*127\\.0\\.0\\.1:${new URL(second.url).port}: .*default_transaction_read_only`,
      ),
    );
    await expect(opening).rejects.not.toThrow(/postgres:postgres/);
  });

  it('`primary` takes one that is read-only by default, and `any` asks nothing', async () => {
    await switchTo(first);
    const refusal = {
      code: 'MISCONFIGURED',
      message: expect.stringContaining('default_transaction_read_only'),
    };
    for (const role of ['primary', 'any']) {
      const connectionString = `${together(second.url, second.url)}?target_session_attrs=${role}`;
      await expect(open(connectionString)).rejects.toMatchObject(refusal);
    }
  });

  it('a single one is refused too if it must accept writes and does not', async () => {
    await switchTo(first);
    const opening = open(`${second.url}?target_session_attrs=read-write`);
    await expect(opening).rejects.toThrow(/accepts writes/);
  });

  it('a listener listens at the one that accepts writes, and moves with it', async () => {
    await switchTo(first);
    let wakes = 0;
    const listener = listenForWork({
      connectionString: together(second.url, first.url),
      worker: {
        wake: () => {
          wakes += 1;
        },
      },
    });
    onTestFinished(() => listener.close());
    const tell = (server: StartedPostgres) =>
      run(server, `select pg_notify('${workChannel('partner_hiring')}', '')`);
    await expect.poll(() => wakes).toBe(1);
    await tell(first);
    await expect.poll(() => wakes).toBe(2);

    await switchTo(second);
    await run(
      first,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'partner-hiring listener'",
    );
    await expect.poll(() => wakes, { timeout: 5_000 }).toBe(3);
    await tell(second);
    await expect.poll(() => wakes).toBe(4);
  });
});
