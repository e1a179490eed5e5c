/**
 * PostgreSQL in a process of its own, which lives as long as the one that started it: the server is stopped
 * when that disconnects, in whatever way it ended.
 */
import { EMBEDDED_HINT, startEmbeddedPostgres } from './embedded-postgres.js';

try {
  const server = await startEmbeddedPostgres();
  const stop = async () => {
    await server.stop();
    process.exit(0);
  };
  process.once('disconnect', () => void stop());
  if (process.connected) process.send?.({ databaseUrl: server.url });
  else await stop();
} catch (error) {
  console.error(`PostgreSQL did not start. ${EMBEDDED_HINT}`, error instanceof Error ? error.message : error);
  process.exit(1);
}
