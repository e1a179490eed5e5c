import { setTimeout } from 'node:timers/promises';
import { assertAnswers } from '../../../../examples/database/assert-answers.js';
import {
  EMBEDDED_HINT,
  type PostgresServer,
  type ServerSettings,
  startEmbeddedPostgres,
} from '../../../../examples/database/embedded-postgres.js';
import { isRunning, postmasterOf } from '../../../../examples/database/postmaster.js';

export type { PostgresServer } from '../../../../examples/database/embedded-postgres.js';

/**
 * The database that `TEST_DATABASE_URL` names, or a PostgreSQL of our own.
 *
 * @param settings - of one of our own.
 * @throws Error that says what to do if it does not start.
 */
export async function startPostgres(settings: ServerSettings = {}): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    await assertAnswers(given);
    return { url: given, stop: async () => {} };
  }
  return startOwnPostgres(settings);
}

/** A PostgreSQL of a test's own, which it may crash. */
export interface OwnPostgres extends PostgresServer {
  /** Where its data lies. */
  readonly dataFolder: string;
  /** Ends all its processes at once, as `pg_ctl stop -m immediate` does: nothing is written down before. */
  crash(): Promise<void>;
  /** Starts it again after a crash; it recovers from its log first. */
  restart(): Promise<void>;
}

/**
 * A PostgreSQL that nobody else uses, also where `TEST_DATABASE_URL` is set. It ends with this process.
 *
 * @throws Error that says what to do if it does not start.
 */
export async function startOwnPostgres(settings: ServerSettings = {}): Promise<OwnPostgres> {
  try {
    const server = await startEmbeddedPostgres(settings);
    return { ...server, crash: () => stopImmediately(server.dataFolder) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`The tests' own PostgreSQL did not start. ${HINT}\n${said}`, { cause: error });
  }
}

const HINT =
  `${EMBEDDED_HINT} Set TEST_DATABASE_URL to use a database of yours instead, e.g. ` +
  'postgres://postgres:password@localhost:5432/postgres. The tests make schemas, databases and roles in it.';

/** Longer than the server needs for it. */
const CRASH_MS = 10_000;

/** What `pg_ctl stop -m immediate` does, which root may not run. */
async function stopImmediately(dataFolder: string): Promise<void> {
  const pid = postmasterOf(dataFolder);
  if (pid === null) throw new Error('PostgreSQL does not run.');
  process.kill(pid, 'SIGQUIT');
  const deadline = performance.now() + CRASH_MS;
  while (isRunning(pid)) {
    if (performance.now() > deadline) throw new Error('PostgreSQL does not end.');
    await setTimeout(20);
  }
}
