import { OperatorError } from '@partner-hiring/core';
import { CompiledQuery } from 'kysely';
import type { RunStatement } from './execute.js';
import { hasMethod } from './pg-objects.js';

/**
 * A transaction of Kysely's PostgreSQL dialect, whatever its tables are. Told by its form: TypeScript lets a CommonJS
 * host name no type of a package that is an ES module alone, which newer Kysely is.
 */
export interface KyselyTransaction {
  readonly isTransaction: true;
  executeQuery(compiledQuery: object): Promise<{ readonly rows: unknown[] }>;
}

/** Whether it is one, or the Kysely instance that it began on. */
export function isKyselyTransaction(hostTx: unknown): hostTx is KyselyTransaction {
  return hasMethod(hostTx, 'executeQuery') && 'isTransaction' in hostTx;
}

/**
 * Statements in a transaction of Kysely. The host's Kysely parses what the server sends as the host likes it (int8 as
 * text, names in camel case, what looks like JSON). So rows come as one text each that does not look like JSON, which
 * nothing on the way has a reason to touch.
 */
export function withinKysely(transaction: KyselyTransaction): RunStatement {
  if (!transaction.isTransaction) {
    throw new OperatorError(
      'MISCONFIGURED',
      'Hand over the transaction, not the Kysely instance it began on.',
    );
  }
  return async (sql, parameters) => {
    if (!HAS_ROWS.test(sql)) {
      const query = CompiledQuery.raw(sql, [...parameters]);
      await transaction.executeQuery(query);
      return { rows: [] };
    }
    const text = `with work as (${sql}) select '${MARK}' || row_to_json(work) as row from work`;
    const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...parameters]));
    const texts = rows as readonly { readonly row: string }[];
    return { rows: texts.map(({ row }) => JSON.parse(row.slice(MARK.length)) as unknown) };
  };
}

/** What a row begins with, so that it does not look like JSON. */
const MARK = 'row ';

/** What walks an index by a recursive query reads too. */
const HAS_ROWS = /^(?:select|with recursive)\b|\breturning\b/;
