import { findAdvice, type HostAdvice } from '@partner-hiring/storage-kysely';

/** Explains what to pass instead of a value that is not a transaction of ours. */
export function adviceFor(hostTx: unknown): string {
  return findAdvice(hostTx, ADVICE) ?? NO_TRANSACTION;
}

const adapter = (name: string, path: string) =>
  `Pass \`${name}(transaction)\` of '@partner-hiring/sqlite/${path}' instead of the transaction itself.`;

const ADVICE: HostAdvice = [
  [['$queryRawUnsafe'], adapter('fromPrismaSqlite', 'prisma')],
  [['raw', 'transaction'], adapter('fromKnexSqlite', 'knex')],
  [['executeQuery'], adapter('fromKyselySqlite', 'kysely')],
  [
    ['startTransaction', 'connect'],
    'Pass `fromTypeormSqlite(queryRunner.manager)` instead of the query runner.',
  ],
  [['createQueryBuilder', 'query'], adapter('fromTypeormSqlite', 'typeorm')],
  [
    ['run', 'select'],
    "Pass `fromDrizzleSqlite(db)` of '@partner-hiring/sqlite/drizzle' after `begin immediate`.",
  ],
];

const NO_TRANSACTION =
  'Pass a handle of better-sqlite3 on which you ran `begin immediate`, or the result of an adapter such as ' +
  '`fromDrizzleSqlite`. For a library without an adapter, pass an object with its name and a function that runs a ' +
  'statement: `{ library, query(text, values) }`. The docs show it under "Your own transaction".';
