import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, resolve } from 'node:path';
import { codeOf } from '../json.js';
import { ListenError } from './listen-error.js';

type Unlock = () => Promise<unknown>;

/**
 * Locks a cursor file until the returned function is called. The operating system ends the lock when the process dies,
 * so a kill leaves no lock behind. It does not reach other machines and containers: the file itself detects those.
 * @throws ListenError if another process has the lock.
 */
export async function lockCursorFile(path: string): Promise<Unlock> {
  try {
    return await (process.platform === 'linux' ? lockBySocket(path) : lockByFile(path));
  } catch (error) {
    if (TAKEN.has(codeOf(error))) {
      throw new ListenError(`Another process uses ${path}. Stop it, or name another file with --cursor.`);
    }
    // If the folder is missing or read-only, the first write says so.
    return async () => {};
  }
}

/** Of a socket, of a file on macOS, and of a file on Windows. */
const TAKEN = new Set<string | null>(['EADDRINUSE', 'EAGAIN', 'EBUSY']);

/** Fills the name of a socket. Older versions of Node fill a shorter one with NULs, and so lock another name. */
const NAME_LENGTH = 107;

/** Binds a socket of Linux's abstract namespace, which has no file. */
async function lockBySocket(path: string): Promise<Unlock> {
  // Not the path, because several paths lead to a folder. Not the file either, because each write replaces it.
  const { dev, ino } = await stat(dirname(resolve(path)));
  const file = `partner-hiring-listen ${dev} ${ino} ${basename(path)}`;
  const name = createHash('sha512').update(file).digest('hex').slice(0, NAME_LENGTH);
  const server = createServer((socket) => socket.destroy()).unref();
  // Exclusive, because PM2 starts several processes that share their sockets.
  server.listen({ path: `\0${name}`, exclusive: true });
  await once(server, 'listening');
  return () => new Promise((done) => server.close(done));
}

/** `UV_FS_O_EXLOCK` of libuv, which Node passes on, but does not name. */
const EXCLUSIVE: Readonly<Record<string, number>> = { darwin: 0x20, win32: 0x1000_0000 };

/** Opens a file beside the cursor file exclusively. The file stays, and does not matter. */
async function lockByFile(path: string): Promise<Unlock> {
  const exclusive = EXCLUSIVE[process.platform];
  if (exclusive === undefined) return async () => {};
  const { O_CREAT, O_RDWR, O_NONBLOCK } = constants;
  const file = await open(`${path}.lock`, O_CREAT | O_RDWR | O_NONBLOCK | exclusive, 0o600);
  return () => file.close();
}
