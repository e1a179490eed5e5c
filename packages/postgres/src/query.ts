import type { Execute, TransactionOutcome } from '@partner-hiring/storage-kysely';
import type { ClientBase, CustomTypesConfig, QueryConfig } from 'pg';
import { isOutdated, isUnprepared, UNPREPARED } from './errors.js';
import { hasPrepared } from './pg-objects.js';
import { createStatementNames } from './statement-names.js';
import { answerWithin } from './timeouts.js';

export type Send = (
  client: Pick<ClientBase, 'query'>,
  sql: string,
  parameters: readonly unknown[],
) => Promise<TransactionOutcome>;

export interface SendOptions {
  readonly prepared: boolean;
  /** The timeout of a statement in ms; null to use the timeout of the connection. */
  readonly statementMs: number | null;
}

interface TimedQuery extends QueryConfig<unknown[]> {
  readonly query_timeout?: number;
}

export function createSend({ prepared, statementMs }: SendOptions): Send {
  const names = createStatementNames();
  const warn = createWarning(UNPREPARED);
  return async (client, sql, parameters) => {
    const name = prepared ? names.nameOf(client, sql) : null;
    const query: TimedQuery = {
      text: sql,
      values: parameters as unknown[],
      types: NUMBERS_AND_TEXT,
      ...(name === null ? {} : { name }),
      ...(statementMs === null ? {} : { query_timeout: answerWithin(statementMs, parameters) }),
    };
    try {
      const { rows } = await client.query<Record<string, unknown>>(query);
      return { rows };
    } catch (error) {
      const isLost = isUnprepared(error);
      if (isLost) warn();
      if (isLost || isOutdated(error)) names.renew(client);
      else if (name !== null && !hasPrepared(client, name)) names.renewOne(client, sql);
      throw error;
    }
  };
}

function createWarning(message: string): () => void {
  let isDue = true;
  return () => {
    if (isDue) process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
    isDue = false;
  };
}

/** The type numbers of int8, int2, int4, float4 and float8. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701]);

/**
 * Parses number columns as numbers and all others as text, whatever parsers the host has set. All our
 * integers fit a double.
 */
const NUMBERS_AND_TEXT = {
  getTypeParser: (type: number) => (NUMBERS.has(type) ? Number : String),
} as unknown as CustomTypesConfig;

export type RunStatement = (sql: string, parameters: readonly unknown[]) => Promise<TransactionOutcome>;

export function executeOn({ statement }: { readonly statement: RunStatement }): Execute {
  return async (sql, sets) => {
    const [only, second] = sets;
    if (only !== undefined && second === undefined) return statement(sql, only);
    const outcomes = await Promise.all(sets.map((parameters) => statement(sql, parameters)));
    return { rows: outcomes.flatMap(({ rows }) => rows) };
  };
}
