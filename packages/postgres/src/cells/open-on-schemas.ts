import type { Storage } from '@partner-hiring/core/ports';
import { createKyselyStorage, type Dialect, type Driver } from '@partner-hiring/storage-kysely';
import { isForeignKeyViolation } from '../errors.js';
import { createCellsStorage } from './routing/cells-storage.js';

export { registerCells as assertKnown } from './cell-table.js';

/** Opens the storage. One schema needs no cells. */
export function openOnSchemas<HostTx, StorageTx>(
  schemas: readonly [string, ...string[]],
  dialectOf: (schema: string) => Dialect,
  driver: Driver<HostTx, StorageTx>,
): Storage<HostTx, StorageTx> {
  if (schemas.length === 1) return createKyselyStorage(dialectOf(schemas[0]), driver);
  const cells = schemas.map((name) => ({ name, dialect: dialectOf(name) }));
  return createCellsStorage({ cells, lacksRow: isForeignKeyViolation, asContention: partnerMoved }, driver);
}

/** Returns an error that the driver treats like a serialization failure: it runs the transaction again. */
function partnerMoved(cause: unknown): Error {
  const error = new Error('The partner has moved to another cell.', { cause });
  return Object.assign(error, { severity: 'ERROR', code: '40001' });
}
