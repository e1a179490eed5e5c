import { assertAnswers } from '../../examples/database/assert-answers.js';
import {
  EMBEDDED_HINT,
  type PostgresServer,
  startEmbeddedPostgres,
} from '../../examples/database/embedded-postgres.js';

export type { PostgresServer } from '../../examples/database/embedded-postgres.js';

/**
 * The database that `TEST_DATABASE_URL` names, or a PostgreSQL of our own.
 *
 * @throws Error that says what to do if it does not start.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    await assertAnswers(given);
    return { url: given, stop: async () => {} };
  }
  try {
    return await startEmbeddedPostgres();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`The tests' own PostgreSQL did not start. ${HINT}\n${said}`, { cause: error });
  }
}

const HINT =
  `${EMBEDDED_HINT} Set TEST_DATABASE_URL to use a database of yours instead, e.g. ` +
  'postgres://postgres:password@localhost:5432/postgres. The tests make schemas, databases and roles in it.';
