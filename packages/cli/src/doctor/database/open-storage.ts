import { createPartnerHiring, type Operator, type Storage, type SystemStatus } from '@partner-hiring/core';
import { NO_RESUMES } from '../../connection/open-database.js';
import { createSealingBox } from '../../connection/sealing-key.js';
import type { ResolvedAddress } from './address.js';
import { loadPostgres, loadSqlite } from './load-packages.js';
import type { DoctorDatabase } from './open-database.js';

/** The opened storage and its operator. The checks only read with them. */
export interface OpenedStorage {
  readonly operator: Operator<never>;
  readonly repositories: Storage<never>['direct'];
  /** Returns the state of the installation, read once. */
  status(): Promise<SystemStatus>;
  close(): Promise<void>;
}

/** Opens the storage on all schemas, and the operator on it. Creates and migrates no tables. */
export async function openStorage(
  address: ResolvedAddress,
  database: DoctorDatabase,
  timeoutMs: number,
): Promise<OpenedStorage> {
  if (database.kind === 'sqlite') {
    const { createSqliteStorage } = await loadSqlite();
    return operate(await createSqliteStorage({ file: database.file, migrate: 'never' }));
  }
  if (address.kind !== 'postgres') throw new Error('The address is not that of the database.');
  const { createPostgresStorage, inspectPostgresSchemas } = await loadPostgres();
  // Opening others would add them to the storage.
  const { known } = await inspectPostgresSchemas(database.reader, address.schemas);
  const storage = await createPostgresStorage({
    connectionString: address.connectionString,
    schemas: known,
    migrate: 'never',
    maxConnections: 2,
    // So that it works behind every pooler.
    pipeline: false,
    preparedStatements: false,
    timeouts: { connectMs: timeoutMs, statementMs: timeoutMs },
  });
  return operate(storage);
}

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function operate<HostTx, OwnTx>(storage: Storage<HostTx, OwnTx>): OpenedStorage {
  const { operator, close } = createPartnerHiring({
    storage,
    secretBox: createSealingBox(null),
    logger: SILENT,
    requestLog: false,
    resumeSink: NO_RESUMES,
  });
  let status: Promise<SystemStatus> | null = null;
  return {
    operator,
    repositories: storage.direct,
    status: () => {
      status ??= operator.system.status();
      return status;
    },
    close,
  };
}
