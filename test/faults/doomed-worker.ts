/** A process with a worker to be killed. It waits for its orders. */
import type { Storage } from '@partner-hiring/core';
import type { Doom } from './doom.js';
import { createWatchedWorker } from './watched-worker.js';

async function openStorage({ location, clockAheadMs }: Doom): Promise<Storage<unknown>> {
  const clock = { now: () => Date.now() + clockAheadMs };
  if (location.kind === 'sqlite') {
    const { createSqliteStorage } = await import('@partner-hiring/sqlite');
    return createSqliteStorage({ file: location.file, clock }) as Promise<Storage<unknown>>;
  }
  const { createPostgresStorage } = await import('@partner-hiring/postgres');
  const { connectionString, schemas } = location;
  return createPostgresStorage({ connectionString, ...schemas, clock }) as Promise<Storage<unknown>>;
}

process.once('disconnect', () => process.exit());
process.once('message', async (doom: Doom) => {
  createWatchedWorker(await openStorage(doom), doom).start();
});
process.send?.('ready');
