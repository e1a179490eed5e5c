/** A connection keeps each statement that it has prepared, so their number must not depend on what is asked. */
import { createPartnerHiring } from '@partner-hiring/core';
import type { Storage } from '@partner-hiring/core/ports';
import { createKyselyStorage } from '@partner-hiring/storage-kysely';
import { PLANNED_QUERIES } from '@partner-hiring/test-support/plans/all';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createPostgresDialect } from '../../../packages/postgres/src/dialect.js';
import { asyncCommit } from '../../../packages/postgres/src/driver.js';
import { sqliteDialect } from '../../../packages/sqlite/src/dialect.js';
import { makeAtOnce } from '../../../packages/storage-kysely/src/statement.js';
import { commandsOf, createSetting, INPUTS, outcomeOf } from '../operator/every-command.js';
import { openStage, type Stage } from '../operator/stage.js';

/** The most statements that a storage may define. PostgreSQL keeps up to seven plans of each on a connection. */
const MOST_DEFINED = 530;

const stage = await openStage({ sandbox: true });

/** The statements of the storage, which exist from the time when it opens. */
function definedStatements({ location }: Stage): ReadonlySet<string> {
  const defined = new Set<string>();
  const driver = { now: () => 0 } as never;
  const define = (dialect: Parameters<typeof createKyselyStorage>[0]) =>
    makeAtOnce(
      () => createKyselyStorage(dialect, driver),
      (sql) => defined.add(sql),
    );
  if (location.kind === 'sqlite') {
    define(sqliteDialect);
    return defined;
  }
  const { clock } = stage;
  for (const schema of schemasOf(location))
    define(createPostgresDialect({ schema, announceWork: false, clock }));
  for (const sql of [...defined].filter((each) => !each.startsWith('select'))) defined.add(asyncCommit(sql));
  return defined;
}

function schemasOf({ schema, schemas }: Extract<Stage['location'], { kind: 'postgres' }>): readonly string[] {
  return 'schemas' in schemas && schemas.schemas !== undefined ? schemas.schemas : [schema];
}

/** Collects the statements of this library that the drivers prepare from now on. */
function collectPrepared(): ReadonlySet<string> {
  const prepared = new Set<string>();
  const note = (sql: unknown) => {
    if (typeof sql === 'string' && /\bph_\w/.test(sql)) prepared.add(sql);
  };
  const { prepare } = Sqlite.prototype;
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, sql: string) {
    note(sql);
    return prepare.call(this, sql);
  } as never);
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [{ readonly name?: string; readonly text?: string } | string];
    if (typeof first === 'object' && first.name !== undefined) note(first.text);
    return (query as (...given: unknown[]) => unknown).apply(this, args);
  } as never);
  return prepared;
}

/** Runs each command, each list of the partners' API with each filter, and the look-ups of the storage. */
async function work({ operator, storage }: Stage): Promise<void> {
  const setting = await createSetting(stage);
  const { secret, companyId } = await issueKey(setting);
  const api = createPartnerHiring({
    storage: storage as Storage<never>,
    secretKey: '0123456789abcdef'.repeat(4),
    requestLog: false,
  });
  const get = (path: string) =>
    api.fetch(
      new Request(`http://api.test/api/v1/external/${path}`, {
        headers: { authorization: `Bearer ${secret}` },
      }),
    );
  for (const filter of FILTERS) {
    for (const list of ['jobs', 'applications']) {
      const { status } = await get(`${list}?${filter.replace('COMPANY', companyId)}`);
      expect([200, 422]).toContain(status);
    }
  }
  for (const { run } of PLANNED_QUERIES) await run(storage.direct).catch(() => {});
  for (const [name, command] of commandsOf(operator)) await outcomeOf(command, INPUTS[name]?.(setting));
}

const FILTERS = ['', 'company_id=COMPANY', 'status=received', 'status=open'].flatMap((filter) =>
  ['', '&limit=1', '&limit=7', '&limit=200', '&updated_since=2026-01-01T00:00:00Z'].map(
    (more) => filter + more,
  ),
);

async function issueKey({ companyId, newPartnerId }: Awaited<ReturnType<typeof createSetting>>) {
  const { key, secret } = await stage.operator.keys.issue({
    partnerId: newPartnerId,
    environment: 'production',
  });
  await stage.operator.access.grant({ keyId: key.id, companyId });
  return { secret, companyId };
}

it('prepares only statements that the storage defines when it opens, whatever is asked', async () => {
  const defined = definedStatements(stage);
  const prepared = collectPrepared();
  await work(stage);
  expect(prepared.size).toBeGreaterThan(100);
  expect([...prepared].filter((sql) => !defined.has(sql))).toEqual([]);
});

it('defines a bounded number of statements', () => {
  expect(definedStatements(stage).size).toBeLessThan(MOST_DEFINED);
});
