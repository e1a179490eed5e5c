import { setTimeout as pause } from 'node:timers/promises';
import { StorageUnavailable } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { openBehindProxy, SOON_MS, TIMEOUTS } from '@partner-hiring/test-support/postgres/behind-proxy';
import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { KEY_ID, OTHER_KEY_ID, T0 } from '../../../test/conformance/suite/storage/samples.js';

const { database, storage } = await openBehindProxy();
const { connectionString, schema } = database;

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
    // An unread result would break the connection.
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
    // The commit was not sent.
    await expect(late).rejects.not.toThrow('outcome is unknown');
  });
});

/** Resolves for all callers once the given number of them wait. Resolves at once for later callers. */
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
