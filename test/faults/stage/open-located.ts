import type { Clock, Storage } from '@partner-hiring/core';
import type { DatabaseLocation } from '@partner-hiring/test-support/storages';

/** Opens a storage on a database of another process. Loads only the driver that it needs, so that a process starts soon. */
export async function openLocated(
  location: DatabaseLocation,
  clock?: Pick<Clock, 'now'>,
): Promise<Storage<unknown>> {
  const timed = clock === undefined ? {} : { clock };
  if (location.kind === 'sqlite') {
    const { createSqliteStorage } = await import('@partner-hiring/sqlite');
    return createSqliteStorage({ file: location.file, ...timed }) as Promise<Storage<unknown>>;
  }
  const { createPostgresStorage } = await import('@partner-hiring/postgres');
  const { connectionString, schemas } = location;
  return createPostgresStorage({ connectionString, ...schemas, ...timed }) as Promise<Storage<unknown>>;
}
