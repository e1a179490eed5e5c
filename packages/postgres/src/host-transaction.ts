import { OperatorError } from '@partner-hiring/core';
import type { Execute } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';
import { createQueue } from './connection.js';
import { toStorageError } from './errors.js';
import { executeOn, type RunStatement } from './execute.js';
import { isKyselyTransaction, type KyselyTransaction, withinKysely } from './kysely-transaction.js';
import { assertReadsText, hasMethod, isClient } from './pg-objects.js';
import type { Send } from './query.js';

/**
 * A transaction that the host has begun and will end: a connection of `pg` on which it said `begin`, or a
 * transaction of Kysely. A pool is none: each of its statements may run on another connection.
 */
export type PostgresTransaction = ClientBase | KyselyTransaction;

/**
 * Statements in the host's transaction, one after another. Nothing is retried: what the host did before cannot
 * be done again.
 */
export function executeWithinHost(hostTx: PostgresTransaction, send: Send): Execute {
  const inOrder = createQueue();
  const statement = statementsOf(hostTx, send);
  let isCurrent = false;
  return executeOn({
    statement: (sql, parameters) =>
      inOrder(async () => {
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

/** A statement that writes, or locks what is to be written. */
const CHANGES = /^(?!select)|\bfor no key update\b/;

/**
 * A command locks, then reads what others have committed meanwhile. A transaction that keeps the snapshot of its
 * first statement would not see it, and miss whom to tell: a grant just made, an endpoint just set.
 */
async function assertReadCommitted(statement: RunStatement): Promise<void> {
  const { rows } = await statement("select current_setting('transaction_isolation') as level", []);
  const { level } = rows[0] as { readonly level: string };
  if (level !== 'repeatable read' && level !== 'serializable') return;
  throw new OperatorError(
    'MISCONFIGURED',
    `The transaction is ${level}, and does not see what others commit. Say \`begin isolation level read committed\`. Nothing was changed.`,
  );
}

/** @throws OperatorError `MISCONFIGURED` for what JavaScript lets through. */
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
  'Hand over what `await queryRunner.connect()` gives, not the query runner of TypeORM itself.';

const NOT_THE_POOL =
  'Hand over a connection on which you said `begin`, not the pool: it runs each statement on another one.';

const NO_TRANSACTION =
  'Hand over a connection of pg on which you said `begin`, or a transaction of Kysely. Of another library, such ' +
  'as Drizzle, Knex or TypeORM, it is the connection of pg that its transaction runs on. Prisma and postgres.js have none.';

function withinClient(client: ClientBase, send: Send): RunStatement {
  assertReadsText(client);
  return async (sql, parameters) => {
    assertInTransaction(client);
    return send(client, sql, parameters);
  };
}

/** Older versions of pg do not keep the state that the server reports with each answer. */
function assertInTransaction(client: Partial<Pick<ClientBase, 'getTransactionStatus'>>): void {
  if (client.getTransactionStatus?.() !== 'I') return;
  throw new OperatorError(
    'MISCONFIGURED',
    "The connection is in no transaction. Say `await client.query('begin')` before the first call, and end it after the last.",
  );
}
