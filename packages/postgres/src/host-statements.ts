import { StorageUnavailable } from '@partner-hiring/core';
import {
  returnsRows,
  storageMisconfiguration,
  type TransactionOutcome,
  toDriverError,
} from '@partner-hiring/storage-kysely';
import { isDivisionByZero } from './errors.js';
import type { RunStatement } from './query.js';

/** A parameter of a statement. There are no arrays or dates. */
export type PostgresValue = string | number | boolean | null;

/** Rows as objects: an array, or the `rows` of a result. */
export type PostgresRows = readonly unknown[] | { readonly rows: readonly unknown[] };

/**
 * A transaction of a library for which there is no adapter. The host begins and ends it.
 * @example
 * ```ts
 * const statements: PostgresStatements = {
 *   library: 'Sequelize',
 *   query: (text, bind) => sequelize.query(text, { bind, transaction, type: QueryTypes.SELECT }),
 * };
 * await operator.within(statements).jobs.close({ id: jobId });
 * ```
 */
export interface PostgresStatements {
  /** The name of the library, for error messages. */
  readonly library: string;
  /**
   * Runs a statement in the transaction and returns its rows. The placeholders in `text` are `$1`, `$2` and so on.
   * Each row has one column of text, so that the library's parsers do not change it.
   */
  query(text: string, values: PostgresValue[]): Promise<PostgresRows>;
}

/** Statements through a library, in one transaction. */
export interface CheckedStatements {
  readonly statement: RunStatement;
  /**
   * Rejects a library whose statements run outside a transaction, or on several connections. After this check, each
   * statement fails if it runs in another transaction, because some libraries reconnect silently.
   */
  check(): Promise<void>;
}

/**
 * Runs statements through a library. Each row is selected as text with a prefix, so that the library's plugins and
 * parsers do not change it.
 */
export function throughStatements({ library, query }: PostgresStatements): CheckedStatements {
  let guard = '';

  async function send(text: string, parameters: readonly unknown[]): Promise<unknown> {
    try {
      return await query(text.replace(JSON_PARAMETER, '$1::text::json'), [...parameters] as PostgresValue[]);
    } catch (error) {
      const reason = toDriverError(error);
      throw guard !== '' && isDivisionByZero(reason) ? new StorageUnavailable(lost(library)) : reason;
    }
  }

  const statement: RunStatement = async (sql, parameters) => {
    const work = returnsRows(sql) ? sql : `${sql} returning 1 as written`;
    const text = `with work as (${work}) select '${MARK}' || pg_catalog.row_to_json(work)::text as row from work${guard}`;
    const rows = rowsOf(await send(text, parameters));
    if (rows === null) throw storageMisconfiguration(noRows(library));
    return { rows: rows.map((row) => parse(row, library)) };
  };

  return {
    statement,
    check: async () => {
      const id = idIn(await statement(FIRST, []));
      if (id !== idIn(await statement(SECOND, []))) {
        throw storageMisconfiguration(notOneTransaction(library));
      }
      guard = guardOf(id);
    },
  };
}

/** Assigns the transaction's identifier. If no transaction is open, the next statement gets a different one. */
const FIRST = 'select pg_catalog.pg_current_xact_id()::text as id';
const SECOND = 'select pg_catalog.pg_current_xact_id_if_assigned()::text as id';

function idIn({ rows }: TransactionOutcome): string {
  return String((rows[0] as { readonly id: unknown } | undefined)?.id);
}

/** Returns no row. Divides by zero in another transaction, so that the whole statement fails. */
const guardOf = (id: string) =>
  ` union all select null where 1 / case pg_catalog.pg_current_xact_id_if_assigned()::text when '${id}' then 1 else 0 end = 0`;

/** Some libraries, such as postgres.js, would serialize the text of a JSON parameter once more. */
const JSON_PARAMETER = /(\$\d+)::json\b/g;

const MARK = 'row ';

function rowsOf(result: unknown): readonly unknown[] | null {
  if (Array.isArray(result)) return result;
  const rows: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'rows') : null;
  return Array.isArray(rows) ? rows : null;
}

/** The library may have renamed the column. */
function parse(row: unknown, library: string): unknown {
  const [text] = typeof row === 'object' && row !== null ? Object.values(row) : [];
  if (typeof text !== 'string' || !text.startsWith(MARK)) throw storageMisconfiguration(noRows(library));
  return JSON.parse(text.slice(MARK.length));
}

const noRows = (library: string) =>
  `\`query\` of ${library} did not return the rows. It must return an array of objects with the column \`row\`, unchanged.`;

export function isPostgresStatements(hostTx: unknown): hostTx is PostgresStatements {
  if (typeof hostTx !== 'object' || hostTx === null) return false;
  const { library, query }: Partial<PostgresStatements> = hostTx;
  return typeof library === 'string' && typeof query === 'function';
}

const notOneTransaction = (library: string) =>
  `The statements of ${library} do not run in one transaction. Open a transaction, and pass what belongs to it instead of the ` +
  'client or pool. Nothing was changed.';

const lost = (library: string) =>
  `The connection of the transaction was lost, and ${library} sent a statement on another one. Repeat the transaction.`;
