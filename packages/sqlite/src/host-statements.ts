import type { OperatorError } from '@partner-hiring/core';
import {
  type Execute,
  returnsRows,
  storageMisconfiguration,
  toDriverError,
} from '@partner-hiring/storage-kysely';
import type { Database } from 'better-sqlite3';
import { fileOf, isSamePath } from './file-identity.js';

/** A parameter of a statement. */
export type SqliteValue = string | number | null;

/**
 * A transaction of a library that does not give out its better-sqlite3 handle. The host begins and ends it.
 * @example
 * ```ts
 * const statements: SqliteStatements = {
 *   library: 'MikroORM',
 *   query: (text, values) => em.getConnection().execute(text, values, 'all', em.getTransactionContext()),
 * };
 * await operator.within(statements).jobs.close({ id: jobId });
 * ```
 */
export interface SqliteStatements {
  /** The name of the library, for error messages. */
  readonly library: string;
  /**
   * Runs a statement in the transaction and returns its rows as objects. The placeholders in `text` are `?`. Must fail
   * outside a transaction, which the storage cannot see.
   */
  query(text: string, values: SqliteValue[]): Promise<readonly unknown[]>;
}

export function isStatements(hostTx: unknown): hostTx is SqliteStatements {
  if (typeof hostTx !== 'object' || hostTx === null) return false;
  const { library, query }: Partial<SqliteStatements> = hostTx;
  return typeof library === 'string' && typeof query === 'function';
}

/** Runs statements through a library. Before the first one, checks that the library uses the storage's file. */
export function executeOnStatements({ library, query }: SqliteStatements, ours: Database): Execute {
  let checked: Promise<void> | null = null;

  async function send(sql: string, parameters: readonly unknown[]): Promise<readonly object[]> {
    let rows: unknown;
    try {
      rows = await query(sql, [...parameters] as SqliteValue[]);
    } catch (error) {
      throw toDriverError(error);
    }
    if (!Array.isArray(rows)) {
      throw storageMisconfiguration(`\`query\` of ${library} must return an array of rows.`);
    }
    return rows.map(withNumbers);
  }

  async function assertOurs(): Promise<void> {
    const [row] = await send(FILE, []);
    const file = String((row as { readonly file?: unknown } | undefined)?.file ?? '');
    if (!isSamePath(file, fileOf(ours))) throw onAnotherFile(file, fileOf(ours));
    // Erased data must not stay in the file, whichever connection erases it.
    const [held] = await send(ERASE, []);
    if (Number(Object.values(held ?? {})[0]) !== 1) throw storageMisconfiguration(notErasing(library));
  }

  return async (sql, sets) => {
    checked ??= assertOurs();
    await checked;
    // The library does not pass on a count of changes, so a statement that writes returns one row for each written row.
    const text = returnsRows(sql) ? sql : `${sql} returning 1 as written`;
    const rows: object[] = [];
    for (const parameters of sets) rows.push(...(await send(text, parameters)));
    return { rows };
  };
}

const ERASE = 'pragma secure_delete = on';

const notErasing = (library: string) =>
  `SQLite did not turn on \`pragma secure_delete\` through ${library}. \`query\` must return the rows of pragmas too.`;

const FILE = "select file from pragma_database_list where name = 'main'";

/** Prisma returns large integers as bigints. All our integers fit a double. */
function withNumbers(row: object): object {
  const values = Object.entries(row);
  if (!values.some(([, value]) => typeof value === 'bigint')) return row;
  return Object.fromEntries(
    values.map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}

export function onAnotherFile(theirs: string, ours: string): OperatorError {
  return storageMisconfiguration(
    `The handle uses ${theirs || 'a database in memory'}, but the storage uses ${ours}. Open the handle ` +
      "on the storage's own file, so that one transaction includes your changes and the storage's. Nothing was changed.",
  );
}
