import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError, StorageUnavailable } from '@partner-hiring/core';
import type { Repositories, Storage } from '@partner-hiring/core/ports';
import { Client, DatabaseError, Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestSchema } from '../../../test/support/postgres-database.js';
import { message, welcome } from '../../../test/support/postgres-messages.js';
import { startRawServer } from '../../../test/support/raw-server.js';
import { startDatabaseProxy } from '../../../test/support/tcp-proxy.js';
import {
  KEY_ID,
  OTHER_KEY_ID,
  sampleCompany,
  samplePartner,
  seed,
  T0,
} from '../../conformance/src/storage/samples.js';
import { createPostgresStorage, type PostgresStorageOptions } from './create-postgres-storage.js';
import { breaksConnection, isContention, toStorageError } from './errors.js';
import type { PostgresTransaction } from './host-transaction.js';
import { listenForWork } from './listen-for-work.js';

const TIMEOUTS = { connectMs: 600, statementMs: 400, lockMs: 300, idleMs: 500 };
/** Far above every time-out, far below what a test may take. */
const SOON_MS = 5_000;

const database = createTestSchema();
const { connectionString, schema } = database;
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let storage: Storage<PostgresTransaction>;
beforeAll(async () => {
  proxy = await startDatabaseProxy(connectionString);
  storage = await open();
  await seed(storage.direct);
});
afterEach(() => proxy.forward());
afterAll(async () => {
  await storage.close();
  await proxy.close();
  await database.drop();
});

function open(options: Partial<PostgresStorageOptions> = {}): Promise<Storage<PostgresTransaction>> {
  const from = { connectionString: proxy.connectionString, schema, timeouts: TIMEOUTS };
  return createPostgresStorage({ ...from, ...options } as PostgresStorageOptions);
}

const read = () => storage.direct.partners.list();
const write = () => storage.direct.companies.save(sampleCompany());
const count = () => storage.direct.rateWindows.charge([{ bucketId: 'a', cost: 1 }]);

describe('a connection that fails', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['a read', read],
    ['a write', write],
    ['a count', count],
  ])('%s over one that hangs ends in time, and the next one works without help', async (_, run) => {
    await run();
    proxy.swallow();
    const started = performance.now();
    await expect(run()).rejects.toBeInstanceOf(StorageUnavailable);
    // Also when it would have to be opened first.
    await expect(run()).rejects.toBeInstanceOf(StorageUnavailable);
    expect(performance.now() - started).toBeLessThan(SOON_MS);
    proxy.forward();
    await run();
  });

  it('is replaced when it was cut, idle or in use, and the process lives on', async () => {
    await Promise.all([read(), read(), read()]);
    proxy.cut();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await read();
    const cutInside = storage.transaction(async (tx) => {
      await tx.companies.save(sampleCompany());
      proxy.cut();
      return tx.companies.find('co_diner');
    });
    await expect(cutInside).rejects.toBeInstanceOf(StorageUnavailable);
    await write();
  });

  it('during a commit leaves its outcome unknown: unavailable, and never done twice', async () => {
    let runs = 0;
    proxy.cutAfter('commit\0');
    const lost = storage.transaction(async (tx) => {
      runs += 1;
      return tx.partners.add(samplePartner('ptn_unknown'));
    });
    await expect(lost).rejects.toThrow(StorageUnavailable);
    await expect(lost).rejects.toMatchObject({
      message: expect.stringContaining('outcome is unknown'),
      mayBeDone: true,
    });
    expect(runs).toBe(1);
    // This time the server had done it.
    expect(await storage.direct.partners.find('ptn_unknown')).not.toBeNull();
  });

  it.each([
    ['a read', 'ph_partner', read],
    ['a count', 'ph_rate_window', count],
  ])('%s that nobody waits for any more is ended on the server too', async (_, table, run) => {
    const administrator = new Client({ connectionString });
    await administrator.connect();
    try {
      await administrator.query(`begin; lock table ${schema}.${table}`);
      const { rows } = await administrator.query<{ pid: number }>('select pg_backend_pid() as pid');
      await expect(run()).rejects.toBeInstanceOf(StorageUnavailable);
      const waiting = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      await expect.poll(() => database.run(waiting, [rows[0]?.pid]), { timeout: SOON_MS }).toEqual([]);
    } finally {
      await administrator.end();
    }
  });

  it('is an outage, and the process lives on, when the server ends it in the breath in which it let us in', async () => {
    const farewell = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));
    const server = await startRawServer((socket) => {
      socket.once('data', () => socket.write(Buffer.concat([welcome({}), farewell])));
    });
    const opening = open({ connectionString: `postgres://nobody@127.0.0.1:${server.port}/none` });
    await expect(opening).rejects.toBeInstanceOf(StorageUnavailable);
  });

  it('of the host’s own pool does not end the process either, and the pool stays the host’s', async () => {
    const pool = new Pool({ connectionString: proxy.connectionString });
    const ofHost = await createPostgresStorage({ pool, schema, timeouts: TIMEOUTS });
    await ofHost.direct.partners.list();
    proxy.cut();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await ofHost.direct.companies.find('co_diner')).not.toBeNull();
    await expect(
      ofHost.transaction(async (tx) => tx.companies.save(sampleCompany())),
    ).resolves.toBeUndefined();
    await ofHost.close();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it('to a server that became read-only is not used again', async () => {
    const pool = new Pool({ connectionString, max: 1 });
    const ofHost = await createPostgresStorage({ pool, schema, timeouts: TIMEOUTS });
    const countThere = () => ofHost.direct.rateWindows.charge([{ bucketId: 'read-only', cost: 1 }]);
    await countThere();
    await pool.query('set default_transaction_read_only = on');
    await expect(countThere()).rejects.toBeInstanceOf(StorageUnavailable);
    // A new connection leads to where a failover has gone.
    expect(await countThere()).toMatchObject([{ count: 2 }]);
    await ofHost.close();
    await pool.end();
  });

  it('is StorageUnavailable when nobody answers at the start', async () => {
    const opening = createPostgresStorage({
      connectionString: 'postgres://nobody:x@127.0.0.1:1/none',
      timeouts: TIMEOUTS,
    });
    await expect(opening).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(opening).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});

describe('contention', () => {
  it('of transactions that lock one another is retried as a whole', async () => {
    let runs = 0;
    const bothHold = barrier(2);
    const lockBoth = (first: typeof KEY_ID, second: typeof KEY_ID) =>
      storage.transaction(async (tx) => {
        runs += 1;
        await tx.feed.take([{ keyId: first, count: 1 }], T0);
        await bothHold();
        await tx.feed.take([{ keyId: second, count: 1 }], T0);
      });
    await Promise.all([lockBoth(KEY_ID, OTHER_KEY_ID), lockBoth(OTHER_KEY_ID, KEY_ID)]);
    expect(runs).toBeGreaterThan(2);
  });

  it('with a host’s transaction that ends late is waited for', async () => {
    const pool = new Pool({ connectionString });
    const client = await pool.connect();
    await client.query('begin');
    await storage.within(client).feed.take([{ keyId: KEY_ID, count: 1 }], T0);
    const letGo = pause(2 * TIMEOUTS.lockMs).then(() => client.query('commit'));
    const range = await storage.direct.feed.take([{ keyId: KEY_ID, count: 1 }], T0);
    expect(range).toHaveLength(1);
    // Ended with its answer unread, the connection would break.
    await letGo;
    client.release();
    await pool.end();
  });

  it('leaves nothing that a process which stopped in a transaction holds: the server ends it', async () => {
    const stopped = storage.transaction(async (tx) => {
      await tx.feed.take([{ keyId: KEY_ID, count: 1 }], T0);
      await new Promise((resolve) => setTimeout(resolve, 3 * TIMEOUTS.idleMs));
    });
    const ended = expect(stopped).rejects.toBeInstanceOf(StorageUnavailable);
    await storage.direct.feed.take([{ keyId: KEY_ID, count: 1 }], T0);
    await ended;
    // The server said why, and that nothing was done.
    await expect(stopped).rejects.toMatchObject({ cause: { code: '25P03' } });
    await expect(stopped).rejects.not.toThrow('outcome is unknown');
  });

  it.each([
    ['a statement', (tx: Repositories) => tx.partners.list()],
    ['the last one', (tx: Repositories) => tx.submissions.chargeAndAdd([], [])],
    ['a commit', async () => {}],
  ] as const)('tells why the server ended it, to whom comes too late with %s', async (_, then) => {
    const late = storage.transaction(async (tx) => {
      await tx.partners.list();
      await database.run(`select pg_terminate_backend(pid, ${SOON_MS}) from pg_stat_activity
        where state = 'idle in transaction' and query like '%${schema}%ph_partner%'`);
      await then(tx);
    });
    await expect(late).rejects.toBeInstanceOf(StorageUnavailable);
    const lost = await late.catch((error: unknown) => error);
    expect(String((lost as Error).cause)).toContain('terminating connection');
    // It had not been told to commit.
    await expect(late).rejects.not.toThrow('outcome is unknown');
  });
});

describe('errors', () => {
  const ofServer = (code: string) => {
    const error = new DatabaseError('message', 1, 'error');
    return Object.assign(error, { code, severity: 'ERROR', detail: 'Key (email)=(ana@example.com)' });
  };

  it.each(['40001', '40P01', '55P03'])('%s may be tried again, and is an outage if it lasts', (code) => {
    expect(isContention(ofServer(code))).toBe(true);
    expect(toStorageError(ofServer(code))).toBeInstanceOf(StorageUnavailable);
  });

  it.each(['57P01', '57P02', '57P03', '08006', '53300', '53100', '25P03', '57014', '28P01'])(
    '%s is an outage, with its cause',
    (code) => {
      const error = ofServer(code);
      expect(isContention(error)).toBe(false);
      expect(toStorageError(error)).toBeInstanceOf(StorageUnavailable);
      expect(toStorageError(error)).toMatchObject({ cause: error });
    },
  );

  it('that are bugs stay what they are, without the values of rows', () => {
    const error = ofServer('23505');
    expect(toStorageError(error)).toBe(error);
    expect(JSON.stringify(error)).not.toContain('ana@example.com');
    for (const other of [new TypeError('x'), new OperatorError('MISCONFIGURED', 'x'), 'text']) {
      expect(toStorageError(other)).toBe(other);
    }
  });

  it('break a connection unless the server answered them and lives on', () => {
    expect(breaksConnection(ofServer('23505'))).toBe(false);
    expect(breaksConnection(ofServer('40P01'))).toBe(false);
    expect(breaksConnection(ofServer('57P01'))).toBe(true);
    expect(breaksConnection(ofServer('25006'))).toBe(true);
    expect(breaksConnection(new Error('Query read timeout'))).toBe(true);
  });

  it('in a transaction that swallowed one of a statement’s are not taken for a commit', async () => {
    const swallowing = storage.transaction(async (tx) => {
      await tx.partners.add(samplePartner('ptn_swallowed'));
      const key = { id: 'key_x', partnerId: 'ptn_none', world: 'production', createdAt: 1 } as const;
      await tx.keys.add(key).catch(() => {});
    });
    await expect(swallowing).rejects.toThrow('could not commit');
    expect(await storage.direct.partners.find('ptn_swallowed')).toBeNull();
  });

  it('of a statement are told, not those of what travelled behind it and was awaited first', async () => {
    const failing = storage.transaction(async (tx) => {
      const key = { id: 'key_x', partnerId: 'ptn_none', world: 'production', createdAt: 1 } as const;
      const refused = tx.keys.add(key);
      refused.catch(() => {});
      await tx.partners.list();
    });
    await expect(failing).rejects.toMatchObject({ code: '23503' });
  });
});

describe('options', () => {
  it.each<[string, Partial<PostgresStorageOptions>]>([
    ['a time-out of 0', { timeouts: { lockMs: 0 } }],
    ['a time-out longer than a timer', { timeouts: { statementMs: 2 ** 31 } }],
    ['no connections', { maxConnections: 0 } as Partial<PostgresStorageOptions>],
  ])('%s is refused', async (_, options) => {
    await expect(open(options)).rejects.toMatchObject({ code: 'MISCONFIGURED' });
  });

  const unreadable = 'postgres://user:pa#ss@127.0.0.1/db';
  const misconfigured = {
    code: 'MISCONFIGURED',
    message: expect.stringMatching(/^(?!.*pa#ss).*percent-encoded/),
  };

  it('a connection string that pg cannot read is refused by name, without its password', async () => {
    await expect(createPostgresStorage({ connectionString: unreadable })).rejects.toMatchObject(
      misconfigured,
    );
    const worker = { nudge: () => {} };
    expect(() => listenForWork({ connectionString: unreadable, worker })).toThrow(
      expect.objectContaining(misconfigured),
    );
  });
});

/** Resolves for all once that many wait; at once for those that come later. */
function barrier(parties: number): () => Promise<void> {
  let waiting = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    waiting += 1;
    if (waiting >= parties) open();
    return opened;
  };
}
