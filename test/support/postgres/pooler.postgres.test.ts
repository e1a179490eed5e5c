/** The pooler discards session state, so a storage that depends on it fails. */
import { Client } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresUrl } from './database.js';
import { type Pooler, startPooler } from './pooler.js';

const pooler = await startPooler(postgresUrl(), { size: 3 });
afterAll(() => pooler.close());

let client: Client;
beforeEach(async () => {
  client = new Client({ connectionString: pooler.connectionString });
  await client.connect();
});
afterEach(() => client.end());

const one = async (sql: string, on = client) =>
  Object.values((await on.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];
const server = () => one('select pg_backend_pid()');

describe('a pooler in transaction mode', () => {
  it('gives each statement another connection of the server, and a transaction one for itself', async () => {
    const outside = [await server(), await server(), await server()];
    expect(new Set(outside).size).toBeGreaterThan(1);
    await client.query('begin');
    const inside = [await server(), await server(), await server()];
    await client.query('commit');
    expect(new Set(inside).size).toBe(1);
  });

  it('keeps no setting but those of a transaction', async () => {
    await client.query("set application_name = 'mine'");
    for (let turn = 0; turn < 6; turn += 1) expect(await one('show application_name')).not.toBe('mine');
    await client.query("begin; set local application_name = 'mine'");
    expect(await one('show application_name')).toBe('mine');
    await client.query('commit');
  });

  it('keeps no advisory lock of a session', async () => {
    await client.query('select pg_advisory_lock(1)');
    expect(await one('select pg_advisory_unlock(1)')).toBe(false);
  });

  it('keeps no temporary table', async () => {
    await client.query('create temp table mine (id text)');
    for (let turn = 0; turn < 6; turn += 1)
      expect(await one("select to_regclass('pg_temp.mine')")).toBeNull();
  });

  it('hears nothing of a channel', async () => {
    const heard: unknown[] = [];
    client.on('notification', (notification) => heard.push(notification));
    await client.query('listen news');
    await client.query('notify news');
    await server();
    expect(heard).toEqual([]);
  });

  it('keeps no statement by its name', async () => {
    const named = { name: 'mine', text: 'select 1' };
    await client.query(named);
    await expect(client.query(named)).rejects.toThrow('does not exist');
  });

  it('undoes the transaction of a client that went away, and hands its connection on', async () => {
    const other = new Client({ connectionString: pooler.connectionString });
    other.on('error', () => {});
    await other.connect();
    await other.query('begin; select pg_advisory_xact_lock(2)');
    expect(await one('select pg_try_advisory_xact_lock(2)')).toBe(false);
    await other.end();
    await expect.poll(() => one('select pg_try_advisory_xact_lock(2)')).toBe(true);
  });
});

describe('a pooler that knows prepared statements', () => {
  let knowing: Pooler;
  let named: Client;
  beforeEach(async () => {
    knowing = await startPooler(postgresUrl(), { size: 3, preparedStatements: true });
    named = new Client({ connectionString: knowing.connectionString });
    named.on('error', () => {});
    await named.connect();
  });
  afterEach(async () => {
    await named.end();
    await knowing.close();
  });

  const mine = { name: 'mine', text: 'select pg_backend_pid() as pid, $1::int as given' };
  const run = async (given: number) =>
    (await named.query<{ pid: number; given: number }>(mine, [given])).rows;

  it('prepares a statement again on each connection of the server, within transactions too', async () => {
    const rows = [...(await run(1)), ...(await run(2)), ...(await run(3))];
    expect(rows.map(({ given }) => given)).toEqual([1, 2, 3]);
    expect(new Set(rows.map(({ pid }) => pid)).size).toBeGreaterThan(1);
    await named.query('begin');
    expect(await run(4)).toMatchObject([{ given: 4 }]);
    expect(await run(5)).toMatchObject([{ given: 5 }]);
    await named.query('commit');
  });

  it('keeps a name after the server rejected its statement, and closes the connection that uses it again', async () => {
    const refused = { name: 'refused', text: 'select * from is_not_there' };
    await expect(named.query(refused)).rejects.toMatchObject({ code: '42P01' });
    expect(await run(1)).toHaveLength(1);
    await expect(named.query(refused)).rejects.toMatchObject({
      code: '08P01',
      message: 'prepared statement name is already in use',
    });
    await expect(run(2)).rejects.toThrow();
  });
});
