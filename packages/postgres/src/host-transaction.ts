import { OperatorError } from '@partner-hiring/core';
import type { Execute, Outcome } from '@partner-hiring/storage-kysely';
import { CompiledQuery } from 'kysely';
import type { ClientBase } from 'pg';
import { createQueue } from './connection.js';
import { toStorageError } from './errors.js';
import { executeOn } from './execute.js';
import { assertReadsText, hasMethod, isClient } from './pg-objects.js';
import type { Send } from './query.js';

/**
 * A transaction of Kysely's PostgreSQL dialect, whatever its tables are. Told by its form: TypeScript lets a CommonJS
 * host name no type of a package that is an ES module alone, which newer Kysely is.
 */
export interface KyselyTransaction {
  readonly isTransaction: true;
  executeQuery(compiledQuery: object): Promise<{
    readonly rows: unknown[];
    readonly numAffectedRows?: bigint | undefined;
  }>;
}

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
  if (isKysely(hostTx)) return withinKysely(hostTx);
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

function isKysely(hostTx: unknown): hostTx is KyselyTransaction {
  return hasMethod(hostTx, 'executeQuery') && 'isTransaction' in hostTx;
}

type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<Outcome>;

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

/**
 * The host's Kysely parses what the server sends as the host likes it (int8 as text, names in camel case). So
 * rows come as one text each, which nothing on the way has a reason to touch.
 */
function withinKysely(transaction: KyselyTransaction): RunStatement {
  if (!transaction.isTransaction) {
    throw new OperatorError(
      'MISCONFIGURED',
      'Hand over the transaction, not the Kysely instance it began on.',
    );
  }
  return async (sql, parameters) => {
    if (!HAS_ROWS.test(sql)) {
      const query = CompiledQuery.raw(sql, [...parameters]);
      const { numAffectedRows } = await transaction.executeQuery(query);
      return { rows: [], changed: Number(numAffectedRows ?? 0) };
    }
    const text = `with work as (${sql}) select row_to_json(work)::text as row from work`;
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...parameters]));
    const texts = rows as readonly { readonly row: string }[];
    return { rows: texts.map(({ row }) => JSON.parse(row) as unknown), changed: rows.length };
  };
}

const HAS_ROWS = /^select|\breturning\b/;
