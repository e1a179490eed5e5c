import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import Sqlite, { type Database } from 'better-sqlite3';
import { fileOf } from './file-identity.js';

/** How long the thread waits for a lock, in milliseconds. Short, because this process's writes wait too. */
const LOCK_MS = 500;

/**
 * Rewrites the file without unused bytes, where SQLite keeps copies of erased rows. Does so only if the first erasure
 * since the last rewriting is at least `afterMs` old. The caller must keep this process from writing meanwhile. Another
 * thread does the work, because it takes seconds for a large file.
 * @returns false if nothing is due.
 * @throws SqliteError if another connection holds a lock. The rewriting stays due.
 */
export async function rewriteErased(handle: Database, now: number, afterMs: number): Promise<boolean> {
  const { count, since } = readMark(handle);
  // If the clock was set back, the erasure seems to be in the future.
  if (since === null || (since <= now && now - since < afterMs)) return false;
  await vacuumInThread(fileOf(handle));
  // An erasure that has committed meanwhile may have left copies again.
  handle.prepare('update ph_rewrite set since = case when count = ? then null else ? end').run(count, now);
  return true;
}

interface Mark {
  readonly count: number;
  readonly since: number | null;
}

function readMark(handle: Database): Mark {
  const mark = handle.prepare<[], Mark>('select count, since from ph_rewrite').get();
  if (mark === undefined) throw new Error('The table ph_rewrite has no row.');
  return mark;
}

/** JavaScript as text, because a bundle has no file for it. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const Sqlite = require(workerData.driver);
try {
  const handle = new Sqlite(workerData.file, { fileMustExist: true, timeout: workerData.lockMs });
  try {
    handle.pragma('secure_delete = on');
    handle.exec('vacuum');
    const [{ busy }] = handle.pragma('wal_checkpoint(truncate)');
    parentPort.postMessage(busy === 0 ? null : { message: 'A reader holds the write-ahead log.', code: 'SQLITE_BUSY' });
  } finally {
    handle.close();
  }
} catch ({ message, code }) {
  parentPort.postMessage({ message, code });
}
`;

interface Failure {
  readonly message: string;
  readonly code?: string;
}

function vacuumInThread(file: string): Promise<void> {
  // The same copy of the driver: two copies of SQLite in one process would break each other's locks.
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  return new Promise((resolve, reject) => {
    let failure: Failure | null = { message: 'The thread that rewrites the file ended early.' };
    const thread = new Worker(THREAD, { eval: true, workerData: { driver, file, lockMs: LOCK_MS } });
    thread.once('message', (message: Failure | null) => {
      failure = message;
    });
    thread.once('error', reject);
    thread.once('exit', () => {
      if (failure === null) resolve();
      else reject(toError(failure));
    });
  });
}

function toError({ message, code }: Failure): Error {
  return code?.startsWith('SQLITE_') ? new Sqlite.SqliteError(message, code) : new Error(message);
}
