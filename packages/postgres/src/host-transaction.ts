import {
  type Execute,
  findAdvice,
  type HostAdvice,
  hasMethod,
  storageMisconfiguration,
} from '@partner-hiring/storage-kysely';
import { CompiledQuery } from 'kysely';
import type { ClientBase } from 'pg';
import { createQueue } from './connection.js';
import { fromPostgresError, isAborted } from './errors.js';
import {
  type CheckedStatements,
  isPostgresStatements,
  type PostgresStatements,
  throughStatements,
} from './host-statements.js';
import { placeOfClient, UNKNOWN_PLACE } from './outages/place.js';
import { assertReadsText, isClient } from './pg-objects.js';
import { executeOn, type RunStatement, type Send } from './query.js';

/** Explains what to pass instead of a value that is not a transaction of ours. */
export function hostAdviceFor(hostTx: unknown): string {
  return findAdvice(hostTx, ADVICE) ?? NO_TRANSACTION;
}

const adapter = (name: string, path: string) =>
  `Pass \`${name}(transaction)\` of '@partner-hiring/postgres/${path}' instead of the transaction itself.`;

const ADVICE: HostAdvice = [
  [['$queryRawUnsafe'], adapter('fromPrisma', 'prisma')],
  [['raw', 'transaction'], adapter('fromKnex', 'knex')],
  [['startTransaction', 'connect'], 'Pass `fromTypeorm(queryRunner.manager)` instead of the query runner.'],
  [['createQueryBuilder', 'query'], adapter('fromTypeorm', 'typeorm')],
  [['unsafe'], adapter('fromPostgresJs', 'postgres-js')],
  [['execute', 'select'], adapter('fromDrizzle', 'drizzle')],
  [
    ['connect'],
    'Pass a connection on which you ran `begin` instead of the pool, which may run each statement on another connection.',
  ],
];

const NO_TRANSACTION =
  'Pass a connection of pg on which you ran `begin`, a transaction of Kysely, or the result of an adapter such as ' +
  '`fromPrisma`. For a library without an adapter, pass an object with its name and a function that runs a statement: ' +
  '`{ library, query(text, values) }`. The docs show it under "Your own transaction".';

/**
 * A transaction that the host begins and ends: a `pg` connection after `begin`, a Kysely transaction, or the result of
 * an adapter such as `fromPrisma` or `fromDrizzle`. A pool is not allowed, because it may use another connection for
 * each statement.
 */
export type PostgresTransaction = ClientBase | KyselyTransaction | PostgresStatements;

/** Runs statements in the host's transaction, one at a time. Only the host can retry the transaction. */
export function executeWithinHost(hostTx: PostgresTransaction, send: Send): Execute {
  const enqueue = createQueue();
  const { statement, check } = statementsOf(hostTx, send);
  const place = isClient(hostTx) ? placeOfClient(hostTx) : UNKNOWN_PLACE;
  let isChecked = false;
  return executeOn({
    statement: (sql, parameters) =>
      enqueue(async () => {
        try {
          if (!isChecked && CHANGES.test(sql)) {
            await assertReadCommitted(statement);
            await check();
            isChecked = true;
          }
          return await statement(sql, parameters);
        } catch (error) {
          throw isAborted(error) ? new Error(ABORTED, { cause: error }) : fromPostgresError(error, { place });
        }
      }),
  });
}

const ABORTED =
  'An earlier statement of the transaction failed, so PostgreSQL rejects all others. Roll back, and repeat the transaction. ' +
  'To continue after a statement that may fail, run that statement in a savepoint.';

const CHANGES = /^(?!select)|\bfor (?:no key update|update|key share)\b/;

/**
 * Rejects isolation levels stricter than read committed. A command locks rows and must then see the commits of other
 * transactions. With an older snapshot it would miss a new grant or endpoint.
 */
async function assertReadCommitted(statement: RunStatement): Promise<void> {
  const { rows } = await statement("select pg_catalog.current_setting('transaction_isolation') as level", []);
  const { level } = rows[0] as { readonly level: string };
  if (level !== 'repeatable read' && level !== 'serializable') return;
  throw storageMisconfiguration(
    `The transaction has isolation level ${level}, so it does not see other commits. Use \`begin isolation level read committed\`. Nothing was changed.`,
  );
}

function statementsOf(hostTx: unknown, send: Send): CheckedStatements {
  const check = async () => {};
  if (isKyselyTransaction(hostTx)) return { statement: withinKysely(hostTx), check };
  if (isClient(hostTx)) return { statement: withinClient(hostTx, send), check };
  if (isPostgresStatements(hostTx)) return throughStatements(hostTx);
  throw storageMisconfiguration(hostAdviceFor(hostTx));
}

function withinClient(client: ClientBase, send: Send): RunStatement {
  assertReadsText(client);
  return async (sql, parameters) => {
    assertInTransaction(client);
    return send(client, sql, parameters);
  };
}

/** Throws if the connection has no open transaction. Older versions of pg do not track this state. */
function assertInTransaction(client: Partial<Pick<ClientBase, 'getTransactionStatus'>>): void {
  if (client.getTransactionStatus?.() !== 'I') return;
  throw storageMisconfiguration(
    "The connection has no open transaction. Run `await client.query('begin')` before the first call, and end the transaction after the last one.",
  );
}

/**
 * A transaction of Kysely's PostgreSQL dialect. This is a structural type, because CommonJS code cannot
 * import Kysely's ESM-only type.
 */
export interface KyselyTransaction {
  readonly isTransaction: true;
  executeQuery(compiledQuery: object): Promise<{ readonly rows: unknown[] }>;
}

function isKyselyTransaction(hostTx: unknown): hostTx is KyselyTransaction {
  return hasMethod(hostTx, 'executeQuery') && 'isTransaction' in hostTx;
}

const KYSELY_INSTANCE =
  'Pass the transaction of `db.transaction().execute(async (trx) => …)` instead of the Kysely instance.';

/** Runs statements in a Kysely transaction. */
function withinKysely(transaction: KyselyTransaction): RunStatement {
  if (!transaction.isTransaction) {
    throw storageMisconfiguration(KYSELY_INSTANCE);
  }
  const { statement } = throughStatements({
    library: 'Kysely',
    query: (text, values) => transaction.executeQuery(CompiledQuery.raw(text, values)),
  });
  return statement;
}
