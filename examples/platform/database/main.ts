/**
 * Runs PostgreSQL in its own process, and stops it when the parent process disconnects.
 */

import { printError } from '../../server/console-output.js';
import { SetupError } from '../../server/setup-error.js';
import { EMBEDDED_HINT, startEmbeddedPostgres } from './embedded-postgres.js';

const gone = new AbortController();
process.once('disconnect', () => gone.abort());
// The parent may already be gone.
if (!process.connected) gone.abort();

try {
  const server = await startEmbeddedPostgres({}, gone.signal);
  const stop = async () => {
    await server.stop();
    process.exit(0);
  };
  gone.signal.addEventListener('abort', () => void stop());
  if (gone.signal.aborted) await stop();
  else process.send?.({ databaseUrl: server.url });
} catch (error) {
  // The parent no longer waits.
  if (gone.signal.aborted) process.exit(0);
  const said = error instanceof Error ? error.message : error;
  if (error instanceof SetupError) printError(said);
  else printError(`PostgreSQL did not start. ${EMBEDDED_HINT} ${String(said)}`);
  process.exit(1);
}
