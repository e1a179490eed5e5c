import { createTestSchema } from '@partner-hiring/test-support/postgres/database';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';

const CATALOG = `
  set allow_system_table_mods = on;
  create table pg_catalog.pg_dist_partition (
    logicalrelid regclass not null,
    partmethod "char" not null,
    partkey text,
    colocationid integer not null default 0,
    repmodel "char" not null default 'c'
  );`;

const database = createTestSchema();
const { connectionString, schema } = database;

/** A pool that records the text of each statement. */
function createRecordingPool(url: string) {
  const texts: string[] = [];
  class RecordingClient extends pg.Client {
    override query(...given: unknown[]): never {
      texts.push(JSON.stringify(given[0]));
      return super.query(...(given as [string])) as never;
    }
  }
  const pool = new pg.Pool({ connectionString: url, Client: RecordingClient });
  onTestFinished(() => pool.end());
  return { pool, texts };
}

it('does not query the catalog of Citus without Citus', async () => {
  const { pool, texts } = createRecordingPool(connectionString);
  onTestFinished(() => database.drop());
  await (await createPostgresStorage({ pool, schema })).close();
  expect(texts.join()).toContain('default_transaction_read_only');
  expect(texts.join()).not.toContain('from pg_catalog.pg_dist_partition');
});

describe('a database with Citus', () => {
  const url = new URL(connectionString);
  url.pathname = `/${schema}`;
  const withCitus = { connectionString: url.href, schema: "it's" };
  let administrator: pg.Client;

  beforeAll(async () => {
    await database.run(`create database ${schema}`);
    administrator = new pg.Client({ connectionString: url.href });
    await administrator.connect();
    await administrator.query(CATALOG);
  });
  beforeEach(() => void administrator.query('truncate pg_catalog.pg_dist_partition'));
  afterAll(async () => {
    await administrator.end();
    await database.run(`drop database ${schema} with (force)`);
  });

  async function manage(table: string, method: string, colocation: number, replication: string) {
    await administrator.query(
      `insert into pg_catalog.pg_dist_partition (logicalrelid, partmethod, colocationid, repmodel)
       values (format('%I.%I', $1::text, $2::text)::regclass, $3, $4, $5)`,
      [withCitus.schema, table, method, colocation, replication],
    );
  }

  const open = (options: object = {}) => createPostgresStorage({ ...withCitus, ...options });

  it("works with local tables, regardless of the host's tables", async () => {
    await (await open()).close();
    await administrator.query('create table if not exists "it\'s".ours (a int); create table ph_job (a int)');
    await manage('ours', 'h', 1, 's');
    await administrator.query(
      `insert into pg_catalog.pg_dist_partition values ('public.ph_job'::regclass, 'h', null, 1, 's')`,
    );
    await (await open()).close();
  });

  it.each([
    ['h', 7, 's', 'distributed by a column', 'undistribute_table'],
    ['r', 7, 's', 'distributed by a column', 'undistribute_table'],
    ['a', 7, 'c', 'distributed by a column', 'undistribute_table'],
    ['n', 7, 't', 'a reference table', 'undistribute_table'],
    ['n', 0, 's', 'a local table that Citus manages', 'undistribute_table'],
    // The other tables are local.
    ['n', 7, 's', 'in one shard', 'citus_schema_undistribute'],
  ] as const)(
    'rejects a table with partition method %s, colocation %i and replication %s, naming the fix',
    async (method, colocation, replication, kind, way) => {
      await (await open()).close();
      await manage('ph_rate_window', method, colocation, replication);
      for (const migrate of ['at_start', 'never']) {
        const refusal = await open({ migrate }).catch((error: unknown) => error);
        expect(refusal).toMatchObject({ code: 'MISCONFIGURED' });
        expect(String(refusal)).toContain(`ph_rate_window (${kind})`);
        const name = way === 'undistribute_table' ? `'"it''s".ph_rate_window'` : `'"it''s"'`;
        expect(String(refusal)).toContain(`\`select ${way}(${name}`);
      }
    },
  );

  it('names every rejected table', async () => {
    await (await open()).close();
    await manage('ph_job', 'n', 0, 't');
    await manage('ph_company', 'h', 2, 's');
    await expect(open()).rejects.toThrow(
      /ph_company \(distributed by a column\), ph_job \(a reference table\); local: ph_access, ph_alert, /,
    );
  });

  async function manageAll() {
    await (await open()).close();
    const { rows } = await administrator.query<{ tablename: string }>(
      'select tablename from pg_tables where schemaname = $1 and starts_with(tablename, $2)',
      [withCitus.schema, 'ph_'],
    );
    for (const { tablename } of rows) await manage(tablename, 'n', 7, 's');
  }

  it('works with all tables in one shard, with statements for a node', async () => {
    await manageAll();
    const { pool, texts } = createRecordingPool(url.href);
    const storage = await createPostgresStorage({ pool, schema: withCitus.schema });
    await storage.direct.partners.add({ id: 'ptn_1', name: 'One', createdAt: 1 });
    await storage.direct.workers.remove('wkr_1');
    await storage.close();
    expect(texts.join()).toContain("set local citus.propagate_set_commands = 'local'");
    expect(texts.join()).toContain('delete from');
    expect(texts.join()).not.toContain("synchronous_commit', 'off");
  });

  it('rejects tables in two shards', async () => {
    await manageAll();
    await administrator.query(
      `update pg_catalog.pg_dist_partition set colocationid = 8 where logicalrelid::text like '%ph_job'`,
    );
    await expect(open()).rejects.toThrow('in one shard');
  });
});
