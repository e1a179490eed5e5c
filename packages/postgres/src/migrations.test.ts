import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StorageUnavailable } from '@partner-hiring/core';
import type { Migration } from '@partner-hiring/storage-kysely';
import { makeMigrations, OLD_NAME } from '@partner-hiring/test-support/made-migrations';
import { createTestSchema, type TestSchema } from '@partner-hiring/test-support/postgres/database';
import { runScript } from '@partner-hiring/test-support/postgres/schemas';
import { Client, type DatabaseError } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStorage } from './create-postgres-storage.js';
import { bringUpToDate, migratePostgres, migrateTo } from './migrate-postgres.js';
import { postgresMigrationSql, writeMigrationSql } from './migration-sql.js';
import { postgresMigrations } from './migrations.js';
import { openPool } from './pool.js';
import { createSend } from './query.js';
import { withDefaultTimeouts } from './timeouts.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const MIGRATOR = `
  import { migratePostgres } from './packages/postgres/src/index.ts';
  process.send('ready');
  process.on('message', async (options) => {
    if (options === null) return process.disconnect();
    try {
      await migratePostgres(options);
      process.send('done');
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  });
`;

const PROCESSES = 8;
/** The full number runs by hand and at night. */
const ROUNDS = process.env.FAULTS === 'full' ? 20 : 3;

const namesOf = (migrations: readonly Migration[]) =>
  migrations.map(({ version, name }) => ({ version, name }));
const own = postgresMigrations();
const all = namesOf(own);
/** Those of a made-up next release. */
const next = [...own, ...makeMigrations(own, 'postgres')];

let database: TestSchema;
beforeEach(() => {
  database = createTestSchema();
});
afterEach(() => database.drop());

const applied = ({ run, schema } = database) =>
  run(`select version, name from ${schema}.ph_schema_migration order by version`);

describe('migrations', () => {
  it('have consecutive numbers and are applied once', async () => {
    const { connectionString, schema } = database;
    expect(all.map(({ version }) => version)).toEqual(all.map((_, index) => index + 1));
    await migratePostgres({ connectionString, schema });
    await (await createPostgresStorage({ connectionString, schema })).close();
    expect(await applied()).toEqual(all);
  });

  it(`run once when ${PROCESSES} processes start on an empty database at the same time`, async () => {
    const children = Array.from({ length: PROCESSES }, () =>
      spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', MIGRATOR], {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
    const exits = children.map((child) => once(child, 'exit'));
    await Promise.all(children.map((child) => once(child, 'message')));
    for (let round = 0; round < ROUNDS; round += 1) {
      const target = createTestSchema();
      const { connectionString, schema } = target;
      const ends = children.map((child) => Promise.race([once(child, 'message'), once(child, 'exit')]));
      for (const child of children) child.send({ connectionString, schema });
      expect((await Promise.all(ends)).flat()).toEqual(expect.arrayContaining(['done']));
      expect(children.every(({ exitCode }) => exitCode === null)).toBe(true);
      expect(await applied(target)).toEqual(all);
      await target.drop();
    }
    for (const child of children) child.send(null as never);
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual(children.map(() => 0));
  }, 120_000);

  it('wait at the start of a storage for a longer migration of another process', async () => {
    const { connectionString, schema } = database;
    const other = new Client({ connectionString });
    await other.connect();
    await other.query(`begin; select pg_advisory_xact_lock(${0x70685f6d})`);
    const opening = createPostgresStorage({ connectionString, schema, timeouts: { statementMs: 1_500 } });
    const ended = opening.then(
      () => 'open',
      (error: Error) => error.message,
    );
    const early = await Promise.race([ended, pause(3_000).then(() => 'waits')]);
    await other.query('commit');
    await other.end();
    expect([early, await ended]).toEqual(['waits', 'open']);
    await (await opening).close();
  });

  it.each(['new tables', 'tables in use'])(
    'name who holds their lock if they waited for it in vain, for %s',
    async (tables) => {
      const { connectionString, schema } = database;
      if (tables === 'tables in use') await migratePostgres({ connectionString, schema });
      const role = `${schema}_stranger`;
      await database.run(`create role ${role} login password 'secret'`);
      const url = Object.assign(new URL(connectionString), { username: role, password: 'secret' });
      const stranger = new Client({ connectionString: url.href, application_name: 'nightly "import"' });
      await stranger.connect();
      const { rows } = await stranger.query(
        `select pg_backend_pid() as pid from pg_advisory_lock(${0x70685f6d})`,
      );
      const timeouts = withDefaultTimeouts({ statementMs: 5_000 });
      const send = createSend({ prepared: false, statementMs: 5_000 });
      const connections = openPool({ connectionString }, timeouts, send);
      const refused = bringUpToDate(connections, schema, next, 50);
      await expect(refused).rejects.toThrow(StorageUnavailable);
      await expect(refused).rejects.toThrow(
        `The process ${rows[0].pid} of the role "${role}" (application "nightly \\"import\\"") holds it.`,
      );
      await stranger.end();
      await bringUpToDate(connections, schema, next, 5_000);
      await connections.close();
      await database.run(`drop role ${role}`);
    },
  );

  it("wait at the start of a storage for an administrator's script", async () => {
    const { connectionString, schema } = database;
    const [beforeCommit] = postgresMigrationSql({ schema }).split('commit;');
    const administrator = new Client({ connectionString });
    await administrator.connect();
    await administrator.query(beforeCommit ?? '');
    const opening = createPostgresStorage({ connectionString, schema });
    const ended = opening.then(
      () => 'open',
      (error: Error) => error.message,
    );
    const early = await Promise.race([ended, pause(500).then(() => 'waits')]);
    await administrator.query('commit');
    await administrator.end();
    expect([early, await ended]).toEqual(['waits', 'open']);
    await (await opening).close();
    expect(await applied()).toEqual(all);
  });

  it('create new tables with all indexes while another transaction of the database stays open', async () => {
    const { connectionString, schema } = database;
    expect(next.some(({ isConcurrent }) => isConcurrent)).toBe(true);
    const other = new Client({ connectionString });
    await other.connect();
    await other.query('begin isolation level repeatable read; select 1');
    await migrateTo(next, { connectionString, schema });
    expect(await applied()).toEqual(namesOf(next));
    await other.query('rollback');
    await other.end();
    expect(writeMigrationSql(next, { schema })).not.toContain('index concurrently');
    expect(writeMigrationSql(next, { schema, from: all.length })).toContain('index concurrently');
  });

  it('as SQL are applied by one of two concurrent administrators', async () => {
    const { run, schema } = database;
    const script = postgresMigrationSql({ schema });
    const outcomeOf = (end: Promise<unknown>) =>
      end.then(
        () => 'done',
        ({ code }: DatabaseError) => code,
      );
    const outcomes = await Promise.all([runScript(run, script), runScript(run, script)].map(outcomeOf));
    expect(outcomes.sort()).toEqual(['42P07', 'done']);
    expect(await applied()).toEqual(all);
  });

  it('that are missing are reported with the fix if the storage must not run them', async () => {
    const { connectionString, schema } = database;
    const open = createPostgresStorage({ connectionString, schema, migrate: 'never' });
    await expect(open).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('migratePostgres'),
    });
    const made = await database.run('select 1 from pg_namespace where nspname = $1', [schema]);
    expect(made).toEqual([]);
  });

  it('reject the database of a newer release without changing it', async () => {
    const { connectionString, schema } = database;
    await migratePostgres({ connectionString, schema });
    await database.run(`insert into ${schema}.ph_schema_migration values (999, 'from_the_future', 0, null)`);
    for (const migrate of ['at_start', 'never'] as const) {
      const open = createPostgresStorage({ connectionString, schema, migrate });
      await expect(open).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    }
    expect(await applied()).toEqual([...all, { version: 999, name: 'from_the_future' }]);
  });

  it('refuse a schema that was made before 0.1.0, with one sentence and without changing it', async () => {
    const { connectionString, schema, run } = database;
    await run(`create schema ${schema}; create table ${schema}.ph_schema_migration (version integer, name text);
      insert into ${schema}.ph_schema_migration values (1, '${OLD_NAME}'), (41, 'erased_counts')`);
    const refusal = {
      code: 'MISCONFIGURED',
      message: `This schema was made before 0.1.0. Drop it and start again: "${schema}"`,
    };
    const at = { connectionString, schema };
    for (const migrate of ['at_start', 'never'] as const) {
      await expect(createPostgresStorage({ ...at, migrate })).rejects.toMatchObject(refusal);
    }
    for (const dryRun of [true, false]) {
      await expect(migratePostgres({ ...at, dryRun })).rejects.toMatchObject(refusal);
    }
    const schemas = [`${schema}_home`, schema];
    await expect(migratePostgres({ connectionString, schemas })).rejects.toMatchObject(refusal);
    await run(`drop schema ${schema}_home cascade`);
    const tables = await run('select tablename from pg_tables where schemaname = $1', [schema]);
    expect(tables).toEqual([{ tablename: 'ph_schema_migration' }]);
  });

  it('do not change the search path or the host’s tables with the same names', async () => {
    const { connectionString, schema } = database;
    const host = new Client({ connectionString });
    await host.connect();
    await host.query('create temp table ph_partner (id text)');
    await migratePostgres({ connectionString, schema });
    expect((await host.query('show search_path')).rows).toEqual([{ search_path: '"$user", public' }]);
    expect((await host.query('select * from ph_partner')).rowCount).toBe(0);
    await host.end();
  });

  it('accept any valid schema name, and reject names that PostgreSQL would truncate', async () => {
    const { connectionString } = database;
    const schema = `${database.schema}" Ünïted; --`;
    const storage = await createPostgresStorage({ connectionString, schema });
    expect(await storage.direct.partners.list()).toEqual([]);
    await storage.close();
    await database.run(`drop schema "${schema.replaceAll('"', '""')}" cascade`);
    // PostgreSQL reserves the last two; in a search path, `$user` is the role's schema.
    for (const name of ['', 'x'.repeat(64), 'ü'.repeat(32), 'pg_mine', '$user']) {
      const open = createPostgresStorage({ connectionString, schema: name });
      await expect(open).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    }
  });
});
