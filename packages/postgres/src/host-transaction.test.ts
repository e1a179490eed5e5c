import { StorageUnavailable } from '@partner-hiring/core';
import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import Sqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect, type Transaction } from 'kysely';
import { Client, type ClientConfig, Pool } from 'pg';
import { afterAll, afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import {
  KEY_ID,
  sampleApplication,
  sampleCompany,
  sampleEvent,
  sampleSubmission,
  seed,
  T0,
} from '../../../test/conformance/suite/storage/samples.js';
import { createPostgresStorage } from './create-postgres-storage.js';
import type { PostgresTransaction } from './host-transaction.js';

interface HostTables {
  hire: { id: string; hiredAt: number };
}

const database = createTestSchema();
const { connectionString, schema } = database;
const storage = await createPostgresStorage({ connectionString, schema, timeouts: { lockMs: 200 } });
await seed(storage.direct);
const pool = new Pool({ connectionString });
await pool.query(`create table ${schema}.hire (id text, hired_at bigint)`);
// With camel case, parsed JSON, and int8 as text.
const kysely = new Kysely<HostTables>({
  dialect: new PostgresDialect({ pool }),
  plugins: [new CamelCasePlugin(), new ParseJSONResultsPlugin()],
}).withSchema(schema);
afterAll(async () => {
  await pool.end();
  await storage.close();
  await database.drop();
});
afterEach(async () => {
  await pool.query(`delete from ${schema}.hire`);
});

async function work(hostTx: PostgresTransaction, number: number): Promise<number> {
  const tx = storage.within(hostTx);
  await tx.companies.addMissing([sampleCompany(`co_${number}`)]);
  const [range] = await tx.feed.take([{ keyId: KEY_ID, count: 1 }], T0 + number);
  await tx.events.append([sampleEvent(number, range?.first ?? 0)]);
  expect(await tx.companies.findForUpdate([`co_${number}`])).toEqual([sampleCompany(`co_${number}`)]);
  return range?.first ?? 0;
}

const rollBack = new Error('The host changed its mind.');

const hires = async () => (await pool.query(`select id from ${schema}.hire`)).rowCount;
const isStored = async (number: number) => (await storage.direct.companies.find(`co_${number}`)) !== null;
const eventAt = async (at: number) => {
  const [log] = await storage.direct.events.readLogs([{ keyId: KEY_ID, after: at - 1, limit: 1 }]);
  return log?.[0]?.at === at;
};

describe("in the host's transaction", () => {
  it('commits or rolls back with a pg client', async () => {
    const client = await pool.connect();
    for (const [number, end] of [
      [101, 'rollback'],
      [102, 'commit'],
    ] as const) {
      await client.query('begin');
      await client.query(`insert into ${schema}.hire values ('a', 1)`);
      const at = await work(client, number);
      await client.query(end);
      const isKept = end === 'commit';
      expect([await hires(), await isStored(number), await eventAt(at)]).toEqual([
        isKept ? 1 : 0,
        isKept,
        isKept,
      ]);
    }
    client.release();
  });

  it('commits or rolls back with a Kysely transaction, regardless of its plugins and parsers', async () => {
    let at = 0;
    await kysely.transaction().execute(async (trx) => {
      await trx.insertInto('hire').values({ id: 'a', hiredAt: 1 }).execute();
      at = await work(trx, 103);
    });
    expect([await hires(), await isStored(103), await eventAt(at)]).toEqual([1, true, true]);
    const undone = kysely.transaction().execute(async (trx) => {
      await trx.insertInto('hire').values({ id: 'b', hiredAt: 1 }).execute();
      at = await work(trx, 104);
      throw rollBack;
    });
    await expect(undone).rejects.toBe(rollBack);
    expect([await hires(), await isStored(104), await eventAt(at)]).toEqual([1, false, false]);
  });

  it('counts and adds submissions, and leaves the transaction usable after a conflict', async () => {
    const charge = { bucketId: 'host', cost: 1, limit: 1 };
    const submission = sampleSubmission(sampleApplication(201, T0));
    const countTwice = async (hostTx: PostgresTransaction) => {
      const { submissions } = storage.within(hostTx);
      const add = () => submissions.chargeAndAdd([charge], [submission]);
      expect(await add()).toMatchObject([{ count: 1 }]);
      expect(await add()).toBe('conflict');
      expect(await storage.within(hostTx).companies.find('co_none')).toBeNull();
      throw rollBack;
    };
    const client = await pool.connect();
    await client.query('begin');
    await expect(countTwice(client)).rejects.toBe(rollBack);
    await client.query('rollback');
    client.release();
    await expect(kysely.transaction().execute(countTwice)).rejects.toBe(rollBack);
  });

  it('does not depend on the search path, and changes no setting', async () => {
    const client = await pool.connect();
    const settings = async () =>
      (await client.query("select name, setting from pg_settings where source = 'session' order by name"))
        .rows;
    await client.query('begin');
    await client.query('set local search_path = pg_catalog');
    const before = await settings();
    await work(client, 105);
    expect(await settings()).toEqual(before);
    await client.query('commit');
    client.release();
    expect(await isStored(105)).toBe(true);
  });

  it('accepts concurrent calls', async () => {
    const client = await pool.connect();
    await client.query('begin');
    const tx = storage.within(client);
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tx.companies.find(index % 2 === 0 ? 'co_diner' : 'co_none')),
    );
    await client.query('commit');
    client.release();
    expect(found.map((company) => company !== null)).toEqual(found.map((_, index) => index % 2 === 0));
  });

  it('rejects a connection without a transaction', async () => {
    const client = new Client({ connectionString });
    await client.connect();
    const add = storage.within(client).companies.addMissing([sampleCompany('co_106')]);
    await expect(add).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    expect(await isStored(106)).toBe(false);
    await client.end();
  });

  it.each<readonly [string, () => unknown]>([
    ['the pool', () => pool],
    ['a Kysely instance', () => kysely],
    ['nothing', () => undefined],
    ['a transaction of Knex', () => Object.assign(() => {}, { isTransaction: true, raw: () => {} })],
    ['a transaction of Drizzle', () => ({ execute: () => {}, query: {} })],
    ['a transaction of TypeORM', () => ({ query: async () => [] })],
    ['a connection of pg-native', () => Object.assign(new Client(), { native: {} })],
    ['a connection that answers in binary', () => new Client({ binary: true } as ClientConfig)],
  ])('refuses what JavaScript lets through: %s', (_what, make) => {
    const misconfigured = expect.objectContaining({ code: 'MISCONFIGURED' });
    expect(() => storage.within(make() as PostgresTransaction)).toThrow(misconfigured);
  });

  it("explains how to pass the transaction of TypeORM's query runner", () => {
    const runner = { connect: async () => new Client(), startTransaction: async () => {} };
    expect(() => storage.within(runner as unknown as PostgresTransaction)).toThrow(
      '`fromTypeorm(queryRunner.manager)`',
    );
  });

  it('rejects changes in a transaction with an older snapshot', async () => {
    const client = await pool.connect();
    for (const level of ['repeatable read', 'serializable']) {
      await client.query(`begin isolation level ${level}`);
      const tx = storage.within(client);
      expect(await tx.companies.find('co_diner')).not.toBeNull();
      const message = expect.stringContaining('begin isolation level read committed');
      const misconfigured = expect.objectContaining({ code: 'MISCONFIGURED', message });
      await expect(tx.companies.findForUpdate(['co_diner'])).rejects.toEqual(misconfigured);
      await expect(tx.companies.addMissing([sampleCompany('co_107')])).rejects.toEqual(misconfigured);
      await client.query('commit');
    }
    client.release();
    const inKysely = kysely
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => storage.within(trx).feed.take([{ keyId: KEY_ID, count: 1 }], T0));
    await expect(inKysely).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    expect(await isStored(107)).toBe(false);
  });

  it('writes nothing if a library goes on outside the transaction', async () => {
    const client = await pool.connect();
    const other = await pool.connect();
    await client.query('begin');
    let on = client;
    const tx = storage.within({
      library: 'Acme SQL',
      query: async (text, values) => (await on.query(text, values)).rows,
    });
    expect(await tx.companies.addMissing([sampleCompany('co_108')])).toEqual(['co_108']);
    on = other;
    await expect(tx.companies.addMissing([sampleCompany('co_109')])).rejects.toThrow(
      'Acme SQL sent a statement on',
    );
    await expect(tx.companies.addMissing([sampleCompany('co_109')])).rejects.toBeInstanceOf(
      StorageUnavailable,
    );
    await client.query('rollback');
    for (const each of [client, other]) each.release();
    expect([await isStored(108), await isStored(109)]).toEqual([false, false]);
  });

  it('does not retry, so that the host can restart its transaction', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await storage.within(client).feed.take([{ keyId: KEY_ID, count: 1 }], T0);
    const other = await pool.connect();
    await other.query('begin');
    await other.query("set local lock_timeout = '50ms'");
    const take = storage.within(other).feed.take([{ keyId: KEY_ID, count: 1 }], T0);
    await expect(take).rejects.toBeInstanceOf(StorageUnavailable);
    await other.query('rollback');
    other.release();
    await client.query('commit');
    client.release();
  });

  it('is a compile error with the wrong handle', () => {
    const isCompiledOnly = false as boolean;
    if (isCompiledOnly) {
      // @ts-expect-error -- each statement of a pool may run on another connection
      storage.within(pool);
      // @ts-expect-error -- not the instance, but a transaction of it
      storage.within(kysely);
      // @ts-expect-error -- another database's
      storage.within(new Sqlite('x'));
      // @ts-expect-error -- an address
      storage.within(connectionString);
    }
    expectTypeOf<Transaction<HostTables>>().toExtend<PostgresTransaction>();
    expectTypeOf<Client>().toExtend<PostgresTransaction>();
    expectTypeOf<Pool>().not.toExtend<PostgresTransaction>();
    expectTypeOf<Kysely<HostTables>>().not.toExtend<PostgresTransaction>();
    expect(isCompiledOnly).toBe(false);
  });
});
