import { randomBytes } from 'node:crypto';
import { startPostgres } from '@partner-hiring/test-support/postgres/server';
import { dropSchemas, HASTY } from '@partner-hiring/test-support/postgres/setup';
import type { TestProject } from 'vitest/node';
import { installedKnowsStatements, startPgBouncer } from './start-pgbouncer.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PgBouncer in transaction mode. */
    pgbouncerUrl: string;
    /** Whether it knows prepared statements. */
    knowsStatements: boolean;
    /** A PgBouncer in statement mode; null where the tests run on somebody else's PgBouncer. */
    statementModeUrl: string | null;
  }
}

/** The installed PgBouncer in front of the tests' PostgreSQL, or the one that `PGBOUNCER_URL` names. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PGBOUNCER_URL ?? '';
  const run = `test_${randomBytes(4).toString('hex')}`;
  project.provide('postgresRun', run);
  if (given !== '') {
    project.provide('postgresUrl', given);
    project.provide('pgbouncerUrl', given);
    project.provide('knowsStatements', true);
    project.provide('statementModeUrl', null);
    return () => dropSchemas(given, run);
  }

  const knowsStatements = installedKnowsStatements();
  const server = await startPostgres(HASTY);
  const transactions = await startPgBouncer(server.url, 'transaction');
  const statements = await startPgBouncer(server.url, 'statement');
  project.provide('postgresUrl', server.url);
  project.provide('pgbouncerUrl', transactions.url);
  project.provide('knowsStatements', knowsStatements);
  project.provide('statementModeUrl', statements.url);
  return async () => {
    await transactions.stop();
    await statements.stop();
    await dropSchemas(server.url, run);
    await server.stop();
  };
}
