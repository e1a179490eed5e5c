import { setTimeout } from 'node:timers/promises';
import { assertAnswers } from '../../../examples/platform/database/assert-answers.js';
import {
  EMBEDDED_HINT,
  type PostgresServer,
  type ServerSettings,
  startEmbeddedPostgres,
} from '../../../examples/platform/database/embedded-postgres.js';
import { isRunning, postmasterOf } from '../../../examples/platform/database/postmaster.js';

export type { PostgresServer } from '../../../examples/platform/database/embedded-postgres.js';

/**
 * Returns the database of `TEST_DATABASE_URL`, or starts PostgreSQL.
 *
 * @param settings - the settings of a server that it starts.
 * @throws Error with a hint if PostgreSQL does not start.
 */
export async function startPostgres(settings: ServerSettings = {}): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    await assertAnswers(given);
    return { url: given, stop: async () => {} };
  }
  return startPostgresServer(settings);
}

/** A PostgreSQL that a test may crash. */
export interface StartedPostgres extends PostgresServer {
  /** Its data folder. */
  readonly dataFolder: string;
  /** Kills all its processes, like `pg_ctl stop -m immediate`, without a checkpoint. */
  crash(): Promise<void>;
  /** Restarts it after a crash, with recovery. */
  restart(): Promise<void>;
}

/**
 * Starts a private PostgreSQL, even if `TEST_DATABASE_URL` is set. It ends with this process.
 *
 * @throws Error with a hint if it does not start.
 */
export async function startPostgresServer(settings: ServerSettings = {}): Promise<StartedPostgres> {
  try {
    const server = await startEmbeddedPostgres(settings);
    return { ...server, crash: () => stopImmediately(server.dataFolder) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`The tests' own PostgreSQL did not start. ${HINT}\n${said}`, { cause: error });
  }
}

const HINT =
  `${EMBEDDED_HINT} To use your own database instead, set TEST_DATABASE_URL, e.g. to ` +
  'postgres://postgres:password@localhost:5432/postgres. The tests create schemas, databases and roles in it.';

/** How long to wait for the server to stop. */
const CRASH_MS = 10_000;

/** Stops PostgreSQL like `pg_ctl stop -m immediate`, which root must not run. */
async function stopImmediately(dataFolder: string): Promise<void> {
  const pid = postmasterOf(dataFolder);
  if (pid === null) throw new Error('PostgreSQL is not running.');
  process.kill(pid, 'SIGQUIT');
  const deadline = performance.now() + CRASH_MS;
  while (isRunning(pid)) {
    if (performance.now() > deadline) throw new Error('PostgreSQL did not stop in time.');
    await setTimeout(20);
  }
}
