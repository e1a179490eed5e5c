import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../../examples/platform/database/embedded-postgres.js';

/** A PgBouncer of a test's own. */
export type PgBouncer = Awaited<ReturnType<typeof startPgBouncer>>;

/** How a PgBouncer hands out its connections. */
export type PoolMode = 'transaction' | 'statement';

/** The first version that knows prepared statements. */
const KNOWS_STATEMENTS = { major: 1, minor: 21 };
const START_MS = 10_000;

/** Returns whether the installed PgBouncer knows prepared statements, and throws with the fix if none is installed. */
export function installedKnowsStatements(): boolean {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(readVersion()) ?? [];
  const { major: firstMajor, minor: firstMinor } = KNOWS_STATEMENTS;
  return Number(major) > firstMajor || (Number(major) === firstMajor && Number(minor) >= firstMinor);
}

function readVersion(): string {
  try {
    return execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  } catch (cause) {
    throw new Error(
      'PgBouncer did not start. Install it with `apt-get install pgbouncer`, or set PGBOUNCER_URL to the address of ' +
        'one that runs, such as postgres://postgres:password@localhost:6432/postgres.',
      { cause },
    );
  }
}

/** Starts the installed PgBouncer on a free port of loopback, in front of the server at `serverUrl`. */
export async function startPgBouncer(serverUrl: string, poolMode: PoolMode) {
  const server = new URL(serverUrl);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'partner-hiring-pgbouncer-'));
  const isRoot = userInfo().uid === 0;
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(config, configOf(server, port, poolMode));
  // PgBouncer refuses to run as root, and its user must be able to read the file.
  if (isRoot) await chmod(folder, 0o755);
  const child = spawn('pgbouncer', isRoot ? ['-u', 'postgres', config] : [config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endWithUs = () => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4_000);
  });
  const ended = once(child, 'close');
  const stop = async () => {
    process.off('exit', endWithUs);
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${port}`;
  for (const deadline = performance.now() + START_MS; !(await answers(url.href)); await setTimeout(50)) {
    if (child.exitCode === null && performance.now() < deadline) continue;
    await stop();
    throw new Error(`PgBouncer did not start:\n${log}`);
  }
  return { url: url.href, stop };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Few connections to the server, so that clients meet those that others have used, and enough for rows that are held. */
const SERVER_CONNECTIONS = 20;

function configOf(server: URL, port: number, poolMode: PoolMode): string {
  const database = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`;
  return [
    '[databases]',
    `* = ${database}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${poolMode}`,
    `default_pool_size = ${SERVER_CONNECTIONS}`,
    'max_client_conn = 1000',
    ...(installedKnowsStatements() ? ['max_prepared_statements = 200'] : []),
    '',
  ].join('\n');
}
