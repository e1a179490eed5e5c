/** Every call of a repository in a transaction of a host's Kysely, which touches what the server answers as hosts do. */
import { describeStorage } from '@partner-hiring/conformance';
import { StorageUnavailable } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import type { PostgresTransaction } from '@partner-hiring/postgres';
import { postgresUrl } from '@partner-hiring/test-support/postgres/database';
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { afterAll } from 'vitest';
import { openPostgres } from './open-postgres.js';

type Call = (...values: readonly never[]) => Promise<unknown>;

const kysely = new Kysely<never>({
  dialect: new PostgresDialect({ pool: new Pool({ connectionString: postgresUrl() }) }),
  plugins: [new CamelCasePlugin(), new ParseJSONResultsPlugin()],
});
afterAll(() => kysely.destroy());

/** Carries the answer out of a transaction that is rolled back, as hosts must where there was a conflict. */
class GivenUp extends Error {
  readonly answer = 'conflict';
}

async function inTransaction(call: (hostTx: PostgresTransaction) => Promise<unknown>): Promise<unknown> {
  try {
    return await kysely.transaction().execute(async (trx) => {
      const answer = await call(trx);
      if (answer === 'conflict') throw new GivenUp();
      return answer;
    });
  } catch (error) {
    if (error instanceof GivenUp) return error.answer;
    throw error;
  }
}

/** Repositories each of whose calls is a transaction of the host's. */
function inHostTransactions(
  within: (hostTx: PostgresTransaction) => Repositories,
  like: Repositories,
): Repositories {
  const ofName = (name: keyof Repositories) =>
    new Proxy(like[name], {
      get:
        (_target, method) =>
        (...values: readonly never[]) =>
          inTransaction((hostTx) => {
            const repository = within(hostTx)[name] as unknown as Record<string | symbol, Call>;
            return (repository[method] as Call)(...values);
          }),
    });
  const names = Object.keys(like) as readonly (keyof Repositories)[];
  return Object.fromEntries(names.map((name) => [name, ofName(name)])) as unknown as Repositories;
}

describeStorage("PostgreSQL within transactions of a host's Kysely", async () => {
  const opened = await openPostgres();
  const { storage } = opened;
  let isClosed = false;
  const direct = inHostTransactions((hostTx) => {
    if (isClosed) throw new StorageUnavailable('The storage was closed.');
    return storage.within(hostTx);
  }, storage.direct);
  const close = () => {
    isClosed = true;
    return storage.close();
  };
  return { ...opened, storage: { ...storage, direct, close } };
});
