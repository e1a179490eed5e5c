import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver, Execute } from '@partner-hiring/storage-kysely';
import Sqlite, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connections, openConnections } from './connections.js';
import { createSqliteDriver } from './driver.js';

const FULL = 2;
const NORMAL = 1;

describe('the driver', () => {
  let folder = '';
  let connections: Connections;
  let driver: Driver<Database>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ph-driver-'));
    connections = openConnections(join(folder, 'test.db'));
    connections.writer.handle.exec('create table t (a)');
    driver = createSqliteDriver(connections, { now: () => 0 });
  });
  afterEach(async () => {
    await driver.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const synchronous = () => connections.writer.handle.pragma('synchronous', { simple: true });
  const add = (execute: Execute) => execute('insert into t values (?)', [[1]]);
  const count = async (execute: Execute) => {
    const { rows } = await execute('select count(*) as n from t', [[]]);
    return (rows[0] as { n: number }).n;
  };

  it('waits for the disk in each transaction except one with asynchronous commit', async () => {
    const seen: unknown[] = [];
    const note = async (execute: Execute) => {
      await add(execute);
      seen.push(synchronous());
    };
    const { writeWithAsyncCommit } = driver;
    const write = (work: typeof note) => driver.write(({ execute }) => work(execute));
    await Promise.all(
      [write, writeWithAsyncCommit, write, writeWithAsyncCommit, writeWithAsyncCommit, write].map((by) =>
        by(note),
      ),
    );
    expect(seen).toEqual([FULL, NORMAL, FULL, NORMAL, NORMAL, FULL]);
  });

  it('waits for the disk again after a failed transaction with asynchronous commit', async () => {
    await expect(
      driver.writeWithAsyncCommit(async () => {
        throw new Error('stop');
      }),
    ).rejects.toThrow();
    await driver.write(async () => expect(synchronous()).toBe(FULL));
  });

  it('reads committed data while its own transaction is open or rolled back', async () => {
    await driver.write(({ execute }) => add(execute));
    const during: number[] = [];
    const undone = driver.write(async ({ execute }) => {
      await add(execute);
      during.push(await count(execute), await driver.read(count));
      throw new Error('stop');
    });
    await expect(undone).rejects.toThrow();
    expect(during).toEqual([2, 1]);
    expect(await driver.read(count)).toBe(1);
  });

  it('reads all items of a batch from one snapshot', async () => {
    const host = new Sqlite(connections.writer.handle.name);
    connections.writer.handle.function('commit_elsewhere', () => {
      host.exec('insert into t values (1)');
      return 0;
    });
    const { rows } = await driver.read((execute) =>
      execute('select ? + (select count(*) from t) + commit_elsewhere() as n', [[0], [0]]),
    );
    expect(rows).toEqual([{ n: 0 }, { n: 0 }]);
    expect(await driver.read(count)).toBe(2);
    host.close();
  });

  it('returns the rows of each item, or one row for each written row', async () => {
    const sets = [[1], [2], [3]];
    const write = (sql: string) => driver.write(({ execute }) => execute(sql, sets));
    expect(await write('insert into t values (?) returning a')).toEqual({
      rows: [{ a: 1 }, { a: 2 }, { a: 3 }],
    });
    expect((await write('insert into t values (?)')).rows).toHaveLength(3);
    expect(await driver.read(count)).toBe(6);
  });

  it('leaves no transaction open when an item fails', async () => {
    const execute = () => driver.read((run) => run('select abs(?) as n', [[1], [-(2n ** 63n)]]));
    await expect(execute()).rejects.toThrow('integer overflow');
    expect(connections.writer.handle.inTransaction).toBe(false);
    await driver.write(({ execute: run }) => add(run));
  });

  it('reads numbers from a host’s handle that returns bigints', async () => {
    const host = new Sqlite(connections.writer.handle.name).defaultSafeIntegers(true);
    host.exec('begin immediate');
    const execute = driver.adopt(host);
    expect((await execute('select 1 as a', [[]])).rows).toEqual([{ a: 1 }]);
    expect(host.prepare('select 1 as a').get()).toEqual({ a: 1n });
    host.close();
  });

  it.each(['other.db', ':memory:'])(
    'rejects a handle on another file with the same tables: %s',
    async (name) => {
      const host = new Sqlite(name === ':memory:' ? name : join(folder, name));
      host.exec('create table t (a)');
      host.exec('begin immediate');
      const message = expect.stringMatching(
        /uses (?:.*other\.db|a database in memory), .*test\.db\. Open the handle on the storage's own file/,
      );
      const misconfigured = expect.objectContaining({ code: 'MISCONFIGURED', message });
      await expect(add(driver.adopt(host))).rejects.toEqual(misconfigured);
      await expect(add(driver.adopt(host))).rejects.toEqual(misconfigured);
      expect(host.prepare('select count(*) from t').pluck().get()).toBe(0);
      host.close();
    },
  );

  it.each([undefined, null, {}, 'test.db'])('rejects %j, which is not a handle', (given) => {
    const message = expect.stringContaining('a handle of better-sqlite3');
    const misconfigured = expect.objectContaining({ code: 'MISCONFIGURED', message });
    expect(() => driver.adopt(given as never)).toThrow(misconfigured);
  });

  it('keeps its page cache: only the writer reads and writes between transactions', async () => {
    const { handle } = connections.reader;
    handle.close();
    await driver.writeWithAsyncCommit(add);
    expect(await driver.read(count)).toBe(1);
  });
});
