import { StorageUnavailable } from '@partner-hiring/core';
import { startRawServer } from '@partner-hiring/test-support/network/raw-server';
import { openBehindProxy, SOON_MS, TIMEOUTS } from '@partner-hiring/test-support/postgres/behind-proxy';
import { fatal, welcome } from '@partner-hiring/test-support/postgres/messages';
import { Client, Pool } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleCompany, samplePartner } from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';

const { database, proxy, storage, open } = await openBehindProxy();
const { connectionString, schema } = database;

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
    // The server had committed.
    expect(await storage.direct.partners.find('ptn_unknown')).not.toBeNull();
  });

  it.each([
    ['a read', 'ph_partner', read],
    ['a count', 'ph_rate_window', count],
  ])('%s that nobody waits for any more is ended on the server too', async (_, table, run) => {
    const administrator = new Client({ connectionString });
    await administrator.connect();
    onTestFinished(() => administrator.end());
    await administrator.query(`begin; lock table ${schema}.${table}`);
    const { rows } = await administrator.query<{ pid: number }>('select pg_backend_pid() as pid');
    await expect(run()).rejects.toBeInstanceOf(StorageUnavailable);
    const waiting = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
    await expect.poll(() => database.run(waiting, [rows[0]?.pid]), { timeout: SOON_MS }).toEqual([]);
  });

  it('is an outage, and the process lives on, when the server ends it in the breath in which it let us in', async () => {
    const farewell = fatal('57P01', 'terminating connection');
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
