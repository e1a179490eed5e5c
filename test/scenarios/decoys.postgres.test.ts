/** A stranger plants operators and functions in `public`. The library calls none of them. */
import type { InboxItem, Storage } from '@partner-hiring/core';
import {
  addPostgresCell,
  createPostgresStorage,
  listenForWork,
  listPostgresCells,
  migratePostgres,
  movePostgresPartner,
  postgresMigrationSql,
  type WorkListener,
} from '@partner-hiring/postgres';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { makeMigrations } from '@partner-hiring/test-support/made-migrations';
import { createEmployer, createPartner, send, submission } from '@partner-hiring/test-support/partner';
import {
  createDecoyedDatabase,
  DECOY_FUNCTIONS,
  DECOY_OPERATORS,
} from '@partner-hiring/test-support/postgres/decoys';
import { createExplainedStorage } from '@partner-hiring/test-support/postgres/plan-reader';
import type { HostTransaction } from '@partner-hiring/test-support/storages';
import { Client, Pool } from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runDoctor } from '../../packages/cli/src/index.js';
import { readPlacement } from '../../packages/postgres/src/citus.js';
import { readHosts } from '../../packages/postgres/src/connection-string.js';
import { createPostgresDialect } from '../../packages/postgres/src/dialect.js';
import { isStandbyAwaited } from '../../packages/postgres/src/driver.js';
import { findWriter } from '../../packages/postgres/src/find-writer.js';
import { bringUpToDate, migrateTo } from '../../packages/postgres/src/migrate-postgres.js';
import { LOCK_MIGRATIONS } from '../../packages/postgres/src/migration-lock.js';
import { postgresMigrations } from '../../packages/postgres/src/migrations.js';
import { openPool } from '../../packages/postgres/src/pool.js';
import { createSend } from '../../packages/postgres/src/query.js';
import { withDefaultTimeouts } from '../../packages/postgres/src/timeouts.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const seen = new Set<string>();

const database = await createDecoyedDatabase();
const pool = new Pool({ connectionString: database.connectionString, max: 8 });
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A missing table, a condition of a combined statement that does not hold, and a held lock. */
const EXPECTED_ERRORS: readonly unknown[] = ['42P01', '22012', '55P03'];

/** Runs a flow. Fails if the server refuses a statement, because of a decoy or of the types that it returns. */
async function withoutRefusal(flow: () => Promise<unknown>): Promise<void> {
  const query = vi.spyOn(Client.prototype, 'query');
  await flow();
  const refused = query.mock.settledResults.flatMap(({ type, value }, index) =>
    type === 'rejected' && !EXPECTED_ERRORS.includes(value.code)
      ? [`${value.message}: ${textOf(query.mock.calls[index])}`]
      : [],
  );
  for (const call of query.mock.calls) seen.add(textOf(call));
  expect(refused).toEqual([]);
}

function textOf(call: readonly unknown[] = []): string {
  const [first] = call as [string | { readonly text: string }];
  return typeof first === 'string' ? first : first.text;
}

/** All statements of the storage, and their parts. */
function preparedStatements(isOnNode: boolean): readonly string[] {
  const texts: string[] = [];
  const options = { schema: 'partner_hiring', announceWork: true, clock: null, isOnNode };
  createExplainedStorage(
    createPostgresDialect(options),
    async () => ({ rows: [] }),
    (sql) => texts.push(sql),
  );
  return texts;
}

async function open(schemas: { schema: string } | { schemas: readonly string[] }): Promise<Fixture> {
  const clock = createFakeClock();
  const storage = await createPostgresStorage({ pool, ...schemas, clock, announceWork: true });
  const inbox = { receive: async (_: readonly InboxItem[]) => {} };
  return createFixture({ storage: storage as Storage<HostTransaction>, inbox }, {}, clock);
}

/** Requests of a partner and of strangers, commands of the platform, and a worker's work of some days. */
async function useEverything(fixture: Fixture, days: number): Promise<void> {
  const { operator } = fixture;
  const partner = await createPartner(fixture);
  const { companyId, jobId } = await createEmployer(fixture, partner);
  expect((await partner.submit({})).status).toBe(422);
  const idempotencyKey = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
  const body = submission(jobId, {
    sourceApplicationId: 'theirs-1',
    resumeUrl: 'https://cv.example.org/ada.pdf',
  });
  const first = await partner.submit(body, idempotencyKey);
  expect(first.status).toBe(201);
  expect((await partner.submit(body, idempotencyKey)).json).toEqual(first.json);
  const second = await partner.submit(submission(jobId));
  for (const path of [
    '/jobs',
    '/jobs?limit=1',
    '/applications',
    '/applications?status=received',
    `/applications/${first.json.id}`,
  ])
    expect((await partner.get(path)).status, path).toBe(200);
  expect((await send(fixture, 'GET', '/jobs', { headers: { authorization: 'Bearer wrong' } })).status).toBe(
    401,
  );
  const id = first.json.id as `ej_app_${string}`;
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  for (const tx of [
    client,
    { library: 'pg', query: (text: string, values: unknown[]) => client.query(text, values) },
  ]) {
    await client.query('begin');
    await operator
      .within(tx as HostTransaction)
      .applications.move({ id: tx === client ? id : (second.json.id as `ej_app_${string}`) });
    await client.query('commit');
  }
  await client.end();
  await operator.applications.decide({ id, decision: 'accepted' });
  await operator.jobs.close([{ id: jobId }]);
  await fixture.pass(DAY_MS);
  await operator.candidates.erase({ applicationId: id, clearSourceApplicationId: true });
  await operator.candidates.eraseMany({ companyId, changedBefore: Number.MAX_SAFE_INTEGER });
  await fixture.pass(days * DAY_MS);
  await operator.system.status({ hours: 168, sealing: true });
}

describe('with a decoy in `public` for each operator and function and each pair of types', () => {
  it('each statement of the storage calls those of pg_catalog', async () => {
    const migrated = { connectionString: database.connectionString };
    await withoutRefusal(() => migratePostgres(migrated));
    const client = new Client(migrated);
    await client.connect();
    // A plan for known values would leave out a condition that is null.
    await client.query('set plan_cache_mode = force_generic_plan');
    const refused: string[] = [];
    for (const sql of new Set([...preparedStatements(false), ...preparedStatements(true)])) {
      seen.add(sql);
      const count = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
      const values = count === 0 ? '' : `(${Array(count).fill('null').join(', ')})`;
      await client
        .query(`prepare decoyed as ${sql}; explain execute decoyed${values}; deallocate decoyed`)
        .catch(async (error: Error) => {
          if (!OF_A_PART.test(error.message)) refused.push(`${error.message}: ${sql}`);
          await client.query('deallocate all');
        });
    }
    await client.end();
    expect(refused).toEqual([]);
  });

  it('start, requests, commands, host transactions, worker and sweeps call those of pg_catalog', async () => {
    await withoutRefusal(async () => {
      const fixture = await open({ schema: 'partner_hiring' });
      await useEverything(fixture, 40);
      await fixture.close();
    });
  });

  it('migrations of tables in use, and their script, call those of pg_catalog', async () => {
    const own = postgresMigrations();
    const all = [...own, ...makeMigrations(own, 'postgres')];
    const { connectionString } = database;
    await withoutRefusal(async () => {
      await migrateTo(own, { pool, schema: 'older' });
      await migrateTo(all, { pool, schema: 'older' });
      const client = new Client({ connectionString });
      await client.connect();
      await client.query(postgresMigrationSql({ schema: 'scripted' }));
      await client.end();
    });
  });

  it('cells and moves between them call those of pg_catalog', async () => {
    const schemas = ['cell_1', 'cell_2'];
    await withoutRefusal(async () => {
      await (await open({ schemas: ['cell_1'] })).close();
      await addPostgresCell({ pool, schemas, schema: 'cell_2' });
      const fixture = await open({ schemas });
      await useEverything(fixture, 1);
      const [partner] = (await fixture.operator.partners.list()).items;
      for (const to of schemas)
        await movePostgresPartner({ pool, schemas, partnerId: partner?.id ?? 'ptn_none', to });
      await listPostgresCells({ pool, schemas });
      await fixture.close();
    });
  });

  it('the doctor and the listener call those of pg_catalog', async () => {
    const { connectionString } = database;
    let listener: WorkListener | undefined;
    await withoutRefusal(async () => {
      for (const schemas of [['partner_hiring'], ['cell_1', 'cell_2']]) {
        const { checks } = await runDoctor({ database: { kind: 'postgres', connectionString, schemas } });
        expect(checks.length).toBeGreaterThan(20);
      }
      await new Promise<void>((wake) => {
        listener = listenForWork({ connectionString, worker: { wake: () => wake() } });
      });
      await listener?.close();
    });
  });

  it('rare statements, for several servers, standbys, Citus and a held lock, call those of pg_catalog', async () => {
    const { connectionString } = database;
    await database.run(`set allow_system_table_mods = on;
      create table pg_catalog.pg_dist_partition
        (logicalrelid regclass, partmethod "char", colocationid integer, repmodel "char");
      grant select on pg_catalog.pg_dist_partition to public`);
    const send = createSend({ prepared: false, statementMs: 5_000 });
    const connections = openPool({ pool }, withDefaultTimeouts({ statementMs: 5_000 }), send);
    const holder = new Client({ connectionString });
    await holder.connect();
    await withoutRefusal(async () => {
      await findWriter(readHosts(connectionString.replace(/@([^/]+)/, '@$1,$1')), 5_000);
      expect(await isStandbyAwaited(connections, 0)).toBe(false);
      expect(await readPlacement(connections, 'partner_hiring')).toBe('local');
      await holder.query(`begin; ${LOCK_MIGRATIONS}`);
      await expect(bringUpToDate(connections, 'held', postgresMigrations(), 20)).rejects.toThrow('holds it');
    });
    await holder.end();
  });

  it('each function is qualified or fits exactly, and each operator and function has decoys', () => {
    const functions = new Set<string>();
    const operators = new Set<string>();
    for (const sql of seen) {
      const code = sql.replace(/--.*$|'(?:[^']|'')*'|"(?:[^"]|"")*"/gm, ' ');
      for (const [, name = ''] of code.matchAll(/(\w[\w.]*|\.ph_\w+)\s*\(/g)) functions.add(name);
      for (const [name] of code.replaceAll('::', '').matchAll(/[-+*/<>=~!@#%^&|`?]+/g)) operators.add(name);
    }
    const called = [...functions].filter((name) => !NOT_CALLED.test(name));
    const bare = called.filter((name) => !name.startsWith('pg_catalog.'));
    expect(bare.sort()).toEqual(['count', 'lower', 'max', 'min', 'sum']);
    const names = called.map((name) => name.replace('pg_catalog.', ''));
    expect(names.filter((name) => !DECOY_FUNCTIONS.includes(name))).toEqual([]);
    expect([...operators].filter((name) => !DECOY_OPERATORS.includes(name))).toEqual([]);
  });

  it.each([
    'select 1::numeric * 1',
    'select 1::bigint % 1',
    'select 1::bigint - 1::numeric',
    "select format('%I', 'a'::name)",
    "select array_to_string(array['a'::name], ', ')",
    "select concat_ws(', ', 'a'::text)",
    'select pg_advisory_xact_lock(1)',
    `select '{"a":1}'::jsonb ->> '1'`,
    "select 1 from pg_class where oid = 'pg_class'::regclass",
  ])('a decoy answers: %s', async (sql) => {
    await expect(pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  });
});

/** A part of a combined statement reads the rows of other parts. The server cannot prepare `set`, which calls nothing. */
const OF_A_PART = /^relation "(?:charge|added)" does not exist$|at or near "set"$/;

/** Words of SQL, tables and aliases before a parenthesis. The server looks for `extract` in `pg_catalog` alone. */
const NOT_CALLED =
  /^(?:\.?ph_\w+|all|and|any|array|as|cast|cell|check|coalesce|conflict|exists|extract|from|in|item|join|key|lateral|lease|not|or|recursive|select|unique|using|values|walked|when|where|with)$/;
