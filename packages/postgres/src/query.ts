import type { Outcome } from '@partner-hiring/storage-kysely';
import type { ClientBase, CustomTypesConfig, QueryConfig } from 'pg';
import { isOutdated, isUnprepared, UNPREPARED } from './errors.js';
import { hasPrepared } from './pg-objects.js';
import { createStatementNames } from './statement-names.js';
import { answerWithin } from './timeouts.js';

/** Sends one statement on a connection and waits for its answer. */
export type Send = (
  client: Pick<ClientBase, 'query'>,
  sql: string,
  parameters: readonly unknown[],
) => Promise<Outcome>;

/** How statements are sent. */
export interface SendOptions {
  /** Whether the server keeps each statement by a name. */
  readonly prepared: boolean;
  /** How long an answer may take; null waits as long as the connection's owner does. */
  readonly statementMs: number | null;
}

/** `pg` takes a time-out with each query; its types do not say so. */
interface TimedQuery extends QueryConfig<unknown[]> {
  readonly query_timeout?: number;
}

/** Makes the one function that our statements go through. */
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

/** Warns once, through the process: a host without a logger must see it, and all goes on. */
function createWarning(message: string): () => void {
  let isDue = true;
  return () => {
    if (isDue) process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
    isDue = false;
  };
}

/** The types of whole and floating-point numbers: int8, int2, int4, float4, float8. */
const NUMBERS: ReadonlySet<number> = new Set([20, 21, 23, 700, 701]);

/**
 * All our columns are numbers that a double holds exactly, or text. It goes with each query: what the host set
 * for its own queries, in this process or on this connection, stays as it is, and means nothing here.
 */
const NUMBERS_AND_TEXT = {
  getTypeParser: (type: number) => (NUMBERS.has(type) ? Number : String),
} as unknown as CustomTypesConfig;
