import { OperatorError, type Storage } from '@partner-hiring/core';
import type { PostgresReader } from '@partner-hiring/postgres';
import type { SqliteReader } from '@partner-hiring/sqlite';
import { loadPostgres, loadSqlite } from '../../connection/load-storage.js';
import type { ResolvedAddress } from './address.js';

/** The rows of a statement. The caller knows their columns. */
export type Rows<Row> = Promise<readonly Row[]>;

export interface Reading {
  /** The text before the name of a table: the quoted schema with a dot, or nothing. */
  readonly prefix: string;
  rows<Row>(sql: string, values?: readonly unknown[]): Rows<Row>;
  close(): Promise<void>;
}

/** A database that can only be read. */
export type DoctorDatabase =
  | (Reading & {
      readonly kind: 'postgres';
      readonly schema: string;
      readonly reader: PostgresReader;
    })
  | (Reading & { readonly kind: 'sqlite'; readonly file: string; readonly reader: SqliteReader });

/** Opens the database for reading only. PostgreSQL connects with the first statement. */
export async function openDoctorDatabase(
  address: ResolvedAddress,
  timeoutMs: number,
): Promise<DoctorDatabase> {
  if (address.kind === 'refused') throw new OperatorError('MISCONFIGURED', address.problem);
  if (address.kind === 'sqlite') {
    const { file } = address;
    const { openSqliteReader } = await loadSqlite();
    const reader = openSqliteReader({ file, timeoutMs });
    return {
      kind: 'sqlite',
      file,
      reader,
      prefix: '',
      rows: async <Row>(sql: string, values?: readonly unknown[]) =>
        reader.rows(sql, values) as readonly unknown[] as readonly Row[],
      close: async () => reader.close(),
    };
  }
  const { connectionString, schema } = address;
  const { openPostgresReader } = await loadPostgres();
  const reader = openPostgresReader({ connectionString, timeoutMs });
  return {
    kind: 'postgres',
    schema,
    reader,
    prefix: prefixOf(schema),
    rows: async <Row>(sql: string, values?: readonly unknown[]) =>
      (await reader.rows(sql, values)) as readonly unknown[] as readonly Row[],
    close: () => reader.close(),
  };
}

/** Returns what to write before the name of a table in this schema. */
export function prefixOf(schema: string): string {
  return `"${schema.replaceAll('"', '""')}".`;
}

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
