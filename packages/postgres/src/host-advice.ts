import { findAdvice, type HostAdvice } from '@partner-hiring/storage-kysely';

/** Explains what to pass instead of a value that is not a transaction of ours. */
export function adviceFor(hostTx: unknown): string {
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
