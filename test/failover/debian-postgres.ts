import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

/** Where Debian installs its PostgreSQL, a folder for each version. */
const INSTALLED = '/usr/lib/postgresql';
const START_MS = 30_000;

/** The programs of the newest version that is installed. Unlike the one from npm, it can copy a running server. */
export function findPrograms(): string {
  const given = process.env.POSTGRES_BIN ?? '';
  if (given !== '') return given;
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest !== undefined) return join(INSTALLED, newest, 'bin');
  throw new Error(
    'PostgreSQL is not installed. Run `apt-get install postgresql`, or set POSTGRES_BIN to the folder of its programs, ' +
      'which must include pg_basebackup.',
  );
}

/** PostgreSQL refuses to run as root. Debian's package makes this user. */
export function findOwner(): { readonly uid?: number; readonly gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Runs one of the programs to its end. */
export async function runProgram(name: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(join(findPrograms(), name), args, { ...findOwner(), cwd: '/' });
}

/** A server that runs in a process of its own. */
export interface DebianServer {
  readonly url: string;
  /** Ends all its processes at once, as the loss of its machine does, and removes its data. */
  lose(): Promise<void>;
  /** Stops all its processes where they stand, or lets them go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** Starts a server on its data. */
export async function startServer(dataFolder: string, port: number): Promise<DebianServer> {
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    wal_keep_size: '1GB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(findPrograms(), 'postgres'), ['-D', dataFolder, ...flags], {
    ...findOwner(),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4_000);
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('PostgreSQL did not start.');
  const ended = once(child, 'close');
  const signalAll = (signal: NodeJS.Signals) => {
    // The postmaster first: it would replace what it loses.
    for (const each of [pid, ...childrenOf(pid)]) trySignal(each, signal);
  };
  const endWithUs = () => signalAll('SIGKILL');
  process.once('exit', endWithUs);

  const server: DebianServer = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    signal: signalAll,
    lose: async () => {
      process.off('exit', endWithUs);
      const memory = sharedMemoryOf(dataFolder);
      if (child.exitCode === null && child.signalCode === null) signalAll('SIGKILL');
      await ended;
      if (memory !== null) await removeSharedMemory(memory);
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  for (const deadline = performance.now() + START_MS; !(await answers(server.url)); await setTimeout(20)) {
    if (child.exitCode === null && performance.now() < deadline) continue;
    await server.lose();
    throw new Error(`PostgreSQL did not start:\n${log}`);
  }
  return server;
}

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** The segment that a server holds to keep a second one from its data. A server that is killed leaves it behind. */
function sharedMemoryOf(dataFolder: string): string | null {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return null;
  return readFileSync(file, 'utf8').split('\n')[6]?.trim().split(/\s+/)[1] ?? null;
}

async function removeSharedMemory(id: string): Promise<void> {
  // Processes that end may still hold it, and it goes with the last of them.
  await promisify(execFile)('ipcrm', ['-m', id]).catch(() => {});
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
