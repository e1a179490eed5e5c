import { OperatorError } from '@partner-hiring/core';
import { checkOptionNames } from '@partner-hiring/storage-kysely';

/** Timeouts of the storage, in milliseconds. */
export interface PostgresTimeouts {
  /** The wait for a free or new connection. Default 5000. Has no effect on your own pool. */
  readonly connectMs?: number;
  /** The wait for a result, after which the connection closes. Default 10000; longer for large batches. */
  readonly statementMs?: number;
  /** The wait for a row that another transaction holds. Default 4000. */
  readonly lockMs?: number;
  /** The wait for a transaction's next statement, after which the server ends it. Default 15000. */
  readonly idleMs?: number;
}

export type Timeouts = Required<PostgresTimeouts>;

const DEFAULTS: Timeouts = { connectMs: 5_000, statementMs: 10_000, lockMs: 4_000, idleMs: 15_000 };

/** Rejects 0, which would mean forever. */
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

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The lowest rate at which a slow server accepts a batch. */
const CHARACTERS_PER_MS = 200;

export function answerWithin(statementMs: number, parameters: readonly unknown[]): number {
  let characters = 0;
  for (const parameter of parameters) {
    if (typeof parameter === 'string') characters += parameter.length;
  }
  return statementMs + Math.floor(characters / CHARACTERS_PER_MS);
}

/** The server cancels abandoned statements after this time, however large the batch. */
const ABANDONED_MS = 120_000;

/**
 * `set local` ends with the transaction, so it works behind a pooler. Databases may have another default
 * isolation level.
 * @param hidesWarnings - whether the role hides warnings, one of which reports an unconfirmed commit.
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
