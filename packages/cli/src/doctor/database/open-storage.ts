import type { Storage } from '@partner-hiring/core';
import { loadPostgres, loadSqlite } from '../../connection/load-storage.js';
import type { ResolvedAddress } from './address.js';
import type { DoctorDatabase } from './open-database.js';

/** The opened storage. The checks only read with it. */
export type OpenedStorage = Pick<Storage<never>, 'direct' | 'close'>;

/** Opens the storage on all schemas. Creates and migrates no tables. */
export async function openStorage(
  address: ResolvedAddress,
  database: DoctorDatabase,
  timeoutMs: number,
): Promise<OpenedStorage> {
  if (database.kind === 'sqlite') {
    const { createSqliteStorage } = await loadSqlite();
    return createSqliteStorage({ file: database.file, migrate: 'never' });
  }
  if (address.kind !== 'postgres') throw new Error('The address is not that of the database.');
  const { createPostgresStorage, inspectPostgresSchemas } = await loadPostgres();
  // Opening others would add them to the storage.
  const { known } = await inspectPostgresSchemas(database.reader, address.schemas);
  return createPostgresStorage({
    connectionString: address.connectionString,
    schemas: known,
    migrate: 'never',
    maxConnections: 2,
    // So that it works behind every pooler.
    pipeline: false,
    preparedStatements: false,
    timeouts: { connectMs: timeoutMs, statementMs: timeoutMs },
  });
}
