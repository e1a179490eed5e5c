import { OperatorError } from '@partner-hiring/core';
import type { Execute } from '@partner-hiring/storage-kysely';
import { CompiledQuery } from 'kysely';
import type { ClientBase } from 'pg';
import { createQueue } from './connection.js';
import { toStorageError } from './errors.js';
import { executeOn, type RunStatement } from './execute.js';
import { assertReadsText, hasMethod, isClient } from './pg-objects.js';
import type { Send } from './query.js';

/**
 * A transaction that the host begins and ends: a `pg` connection after `begin`, or a Kysely transaction. Not
 * a pool, which may use another connection for each statement.
 */
export type PostgresTransaction = ClientBase | KyselyTransaction;

/** Runs one statement at a time. Only the host can retry the transaction. */
export function executeWithinHost(hostTx: PostgresTransaction, send: Send): Execute {
  const enqueue = createQueue();
  const statement = statementsOf(hostTx, send);
  let isCurrent = false;
  return executeOn({
    statement: (sql, parameters) =>
      enqueue(async () => {
        try {
          if (!isCurrent && CHANGES.test(sql)) {
            await assertReadCommitted(statement);
            isCurrent = true;
          }
          return await statement(sql, parameters);
        } catch (error) {
          throw toStorageError(error);
        }
      }),
  });
}

const CHANGES = /^(?!select)|\bfor no key update\b/;

/** Commands lock rows, then read other commits. An older snapshot would miss a new grant or endpoint. */
async function assertReadCommitted(statement: RunStatement): Promise<void> {
  const { rows } = await statement("select current_setting('transaction_isolation') as level", []);
  const { level } = rows[0] as { readonly level: string };
  if (level !== 'repeatable read' && level !== 'serializable') return;
  throw new OperatorError(
    'MISCONFIGURED',
    `The transaction has isolation level ${level}, so it does not see other commits. Use \`begin isolation level read committed\`. Nothing was changed.`,
  );
}

function statementsOf(hostTx: unknown, send: Send): RunStatement {
  if (isKyselyTransaction(hostTx)) return withinKysely(hostTx);
  if (isClient(hostTx)) return withinClient(hostTx, send);
  throw new OperatorError('MISCONFIGURED', adviceFor(hostTx));
}

function adviceFor(hostTx: unknown): string {
  if (hasMethod(hostTx, 'startTransaction')) return NOT_THE_RUNNER;
  return hasMethod(hostTx, 'connect') ? NOT_THE_POOL : NO_TRANSACTION;
}

const NOT_THE_RUNNER =
  'Pass the result of `await queryRunner.connect()` instead of the query runner of TypeORM.';

const NOT_THE_POOL =
  'Pass a connection on which you ran `begin` instead of the pool, which may run each statement on another connection.';

const NO_TRANSACTION =
  'Pass a connection of pg on which you ran `begin`, or a transaction of Kysely. With another library, such as ' +
  'Drizzle, Knex or TypeORM, pass the pg connection that its transaction runs on. Prisma and postgres.js do not expose one.';

function withinClient(client: ClientBase, send: Send): RunStatement {
  assertReadsText(client);
  return async (sql, parameters) => {
    assertInTransaction(client);
    return send(client, sql, parameters);
  };
}

/** Older versions of pg do not track the transaction state. */
function assertInTransaction(client: Partial<Pick<ClientBase, 'getTransactionStatus'>>): void {
  if (client.getTransactionStatus?.() !== 'I') return;
  throw new OperatorError(
    'MISCONFIGURED',
    "The connection has no open transaction. Run `await client.query('begin')` before the first call, and end the transaction after the last one.",
  );
}

/** A transaction of Kysely's PostgreSQL dialect. Structural: CommonJS cannot import the ESM-only type. */
export interface KyselyTransaction {
  readonly isTransaction: true;
  executeQuery(compiledQuery: object): Promise<{ readonly rows: unknown[] }>;
}

function isKyselyTransaction(hostTx: unknown): hostTx is KyselyTransaction {
  return hasMethod(hostTx, 'executeQuery') && 'isTransaction' in hostTx;
}

/** Returns each row as text that is not JSON, because the host's plugins and parsers may change rows. */
function withinKysely(transaction: KyselyTransaction): RunStatement {
  if (!transaction.isTransaction) {
    throw new OperatorError('MISCONFIGURED', 'Pass the transaction instead of the Kysely instance.');
  }
  return async (sql, parameters) => {
    if (!HAS_ROWS.test(sql)) {
      const query = CompiledQuery.raw(sql, [...parameters]);
      await transaction.executeQuery(query);
      return { rows: [] };
    }
    const text = `with work as (${sql}) select '${MARK}' || row_to_json(work) as row from work`;
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...parameters]));
    const texts = rows as readonly { readonly row: string }[];
    return { rows: texts.map(({ row }) => JSON.parse(row.slice(MARK.length)) as unknown) };
  };
}

const MARK = 'row ';

const HAS_ROWS = /^(?:select|with recursive)\b|\breturning\b/;
