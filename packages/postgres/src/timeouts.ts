import { OperatorError } from '@partner-hiring/core';
import { checkOptionNames } from '@partner-hiring/storage-kysely';

/** How long the storage waits for PostgreSQL, in milliseconds. */
export interface PostgresTimeouts {
  /** For a free connection, or a new one. Default 5000. Only if the storage makes the pool. */
  readonly connectMs?: number;
  /**
   * For the answer to a statement; one that brings many rows may take longer, in proportion. Default 10000.
   * Then the connection counts as lost, and is not used again.
   */
  readonly statementMs?: number;
  /** For a row that another transaction holds, such as a host's that is open. Default 4000. */
  readonly lockMs?: number;
  /** For the next statement of a transaction: the server ends those of a process that stopped. Default 15000. */
  readonly idleMs?: number;
}

/** All of them, as they hold. */
export type Timeouts = Required<PostgresTimeouts>;

const DEFAULTS: Timeouts = { connectMs: 5_000, statementMs: 10_000, lockMs: 4_000, idleMs: 15_000 };

/**
 * Fills the defaults in.
 *
 * @throws OperatorError `MISCONFIGURED` for a name that does not exist, and for what is no time: 0 would mean forever.
 */
export function withDefaults(given: PostgresTimeouts = {}): Timeouts {
  checkOptionNames('createPostgresStorage', given, DEFAULTS, 'timeouts');
  const timeouts = { ...DEFAULTS, ...given };
  for (const [name, ms] of Object.entries<number>(timeouts)) {
    if (Number.isSafeInteger(ms) && ms >= 1 && ms <= LONGEST_TIMER_MS) continue;
    throw new OperatorError(
      'MISCONFIGURED',
      `timeouts.${name} must be a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}.`,
    );
  }
  return timeouts;
}

/** A timer that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a slow server takes in of a batch at the very least. */
const CHARACTERS_PER_MS = 200;

/** How long the answer to a statement with these parameters may take. */
export function answerWithin(statementMs: number, parameters: readonly unknown[]): number {
  let characters = 0;
  for (const parameter of parameters) {
    if (typeof parameter === 'string') characters += parameter.length;
  }
  return statementMs + Math.floor(characters / CHARACTERS_PER_MS);
}

/** When the server gives up by itself what nobody waits for any more, however large a batch it was. */
const ABANDONED_MS = 120_000;

/**
 * Begins a transaction with time-outs of its own. `set local` ends with the transaction, so it means nothing to
 * whoever gets the server's connection next from a pooler. The isolation level is named because the database
 * may have another default.
 *
 * @param hidesWarnings - whether the role does not get warnings. One of them says that a commit was not confirmed.
 */
export function beginText({ lockMs, idleMs }: Timeouts, hidesWarnings: boolean): string {
  return [
    'begin isolation level read committed read write',
    `set local statement_timeout = ${ABANDONED_MS}`,
    `set local lock_timeout = ${lockMs}`,
    `set local idle_in_transaction_session_timeout = ${idleMs}`,
    ...(hidesWarnings ? ['set local client_min_messages = warning'] : []),
  ].join('; ');
}
