import { checkStorageOptionNames, storageMisconfiguration } from '@partner-hiring/storage-kysely';

/** Timeouts of the storage, in milliseconds. */
export interface PostgresTimeouts {
  /** The wait for a connection from the pool. Default 5000. Has no effect if you pass your own pool. */
  readonly connectMs?: number | undefined;
  /** The wait for a result, after which the connection closes. Default 10000. Large batches get more time. */
  readonly statementMs?: number | undefined;
  /** The wait for a row that another transaction holds. Default 4000. */
  readonly lockMs?: number | undefined;
  /** The wait for a transaction's next statement, after which the server ends it. Default 15000. */
  readonly idleMs?: number | undefined;
}

export type Timeouts = Readonly<Record<keyof PostgresTimeouts, number>>;

const DEFAULTS: Timeouts = { connectMs: 5_000, statementMs: 10_000, lockMs: 4_000, idleMs: 15_000 };

/** Returns the timeouts with defaults. Rejects 0, which would mean no timeout. */
export function withDefaultTimeouts(given: PostgresTimeouts = {}): Timeouts {
  checkStorageOptionNames('createPostgresStorage', given, DEFAULTS, 'timeouts');
  const timeouts = {
    connectMs: given.connectMs ?? DEFAULTS.connectMs,
    statementMs: given.statementMs ?? DEFAULTS.statementMs,
    lockMs: given.lockMs ?? DEFAULTS.lockMs,
    idleMs: given.idleMs ?? DEFAULTS.idleMs,
  };
  for (const [name, ms] of Object.entries<number>(timeouts)) {
    if (Number.isSafeInteger(ms) && ms >= 1 && ms <= LONGEST_TIMER_MS) continue;
    throw storageMisconfiguration(
      `timeouts.${name} must be a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}.`,
    );
  }
  return timeouts;
}

/** The longest delay of a timer in Node. A timer with a longer delay fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The lowest rate at which a slow server is expected to accept a batch. */
const CHARACTERS_PER_MS = 200;

export function answerWithin(statementMs: number, parameters: readonly unknown[]): number {
  let characters = 0;
  for (const parameter of parameters) {
    if (typeof parameter === 'string') characters += parameter.length;
  }
  return statementMs + Math.floor(characters / CHARACTERS_PER_MS);
}

/**
 * How long the server runs a statement at most after its client has given up, in milliseconds. It applies to batches of
 * any size.
 */
const ABANDONED_MS = 120_000;

const BEGIN = 'begin isolation level read committed read write';

interface BeginTraits {
  readonly hidesWarnings: boolean;
  readonly isOnNode: boolean;
  readonly sessionSettings?: boolean;
}

/**
 * Returns the commands that begin a transaction. `set local` ends with the transaction, so it works behind
 * a pooler. The isolation level is explicit, because a database may have another default.
 * @param sessionSettings - whether to set anything. RDS Proxy reserves a connection for a session that does.
 * @param hidesWarnings - whether the role hides warnings, one of which reports an unconfirmed commit.
 * @param isOnNode - whether Citus keeps the tables on a node. The settings must then apply there too.
 */
export function beginText(
  { lockMs, idleMs }: Timeouts,
  { hidesWarnings, isOnNode, sessionSettings = true }: BeginTraits,
): readonly string[] {
  if (!sessionSettings) return [BEGIN];
  const settings = [
    BEGIN,
    ...(isOnNode ? ["set local citus.propagate_set_commands = 'local'"] : []),
    `set local statement_timeout = ${ABANDONED_MS}`,
    `set local lock_timeout = ${lockMs}`,
    `set local idle_in_transaction_session_timeout = ${idleMs}`,
    ...(hidesWarnings ? ['set local client_min_messages = warning'] : []),
  ];
  // Citus forwards the whole text of a command for each `set local` in it.
  return isOnNode ? settings : [settings.join('; ')];
}
