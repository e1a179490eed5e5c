import type { Outcome } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';
import { cancelOn } from './cancel.js';
import { breaksConnection, isUnanswered } from './errors.js';
import { closeSocket } from './pg-objects.js';
import type { Send } from './query.js';

/** One connection, while it is lent. */
export interface Connection {
  /** Runs one of our statements. The server ends it too once nobody waits for it any more. */
  statement(sql: string, parameters: readonly unknown[]): Promise<Outcome>;
  /**
   * The same for one that has the commit right behind it. Like a `commit`, it is left to
   * the server: cancelled while it waits for a standby, it would be done without one.
   */
  committing(sql: string, parameters: readonly unknown[]): Promise<Outcome>;
  /**
   * Runs a command without parameters or rows, such as `commit`; answers what the server says it did. It may take
   * as long as a statement, unless it is told how long.
   */
  command(text: string, withinMs?: number): Promise<string>;
  /** How long a command may take, or a statement without many rows. */
  readonly commandMs: number;
  /** Whether several may be under way: then they share a round trip, and are answered in their order. */
  readonly isPipelined: boolean;
  /** Whether an error left it unusable. */
  isBroken(): boolean;
  /** Keeps it from being lent again: what it did not end may still be open. */
  discard(): void;
  /** Whether it may be lent again. */
  isReusable(): boolean;
  /** Takes note of an error that came while nothing was under way: the server's own word of why it ended it. */
  lose(error: Error): void;
  /** Takes note of what the server remarks beside its answers. */
  hear(notice: { readonly routine?: string | undefined }): void;
  /** Whether the server stopped waiting for its synchronous standby: what it committed may not be there. */
  isUnconfirmed(): boolean;
  /** Closes it at once. Whatever is under way fails with the reason. */
  hangUp(reason: Error): void;
  /** Throws that error, if there was one: nothing can have been sent since. */
  assertThere(): void;
}

/** Wraps a client of `pg`. */
export function createConnection(client: ClientBase, send: Send, commandMs: number): Connection {
  let broken = false;
  let isDiscarded = false;
  let isUnconfirmed = false;
  let lostBy: Error | null = null;
  let hungUpFor: Error | null = null;
  const assertThere = () => {
    if (lostBy !== null) throw lostBy;
  };
  const noted = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (breaksConnection(error)) broken = true;
      throw hungUpFor ?? error;
    }
  };
  // Older versions of pg know no pipeline.
  const isPipelined = 'pipeline' in client && client.pipeline === true;
  const inOrder = isPipelined ? <T>(run: () => Promise<T>) => run() : createQueue();
  const ordered = <T>(run: () => Promise<T>) =>
    inOrder(async () => {
      assertThere();
      return run();
    });

  const cancelled = async (answer: Promise<Outcome>): Promise<Outcome> => {
    try {
      return await answer;
    } catch (error) {
      if (!broken && isUnanswered(error)) cancelOn(client);
      throw error;
    }
  };

  return {
    statement: (sql, parameters) => ordered(() => noted(cancelled(send(client, sql, parameters)))),
    committing: (sql, parameters) => ordered(() => noted(send(client, sql, parameters))),
    command: (text, withinMs = commandMs) =>
      ordered(async () => {
        const timed = { text, query_timeout: withinMs };
        const { command } = await noted(client.query(timed));
        return command;
      }),
    commandMs,
    isPipelined,
    isBroken: () => broken,
    discard: () => {
      isDiscarded = true;
    },
    isReusable: () => !broken && !isDiscarded,
    lose: (error) => {
      lostBy ??= error;
      broken = true;
    },
    hear: ({ routine }) => {
      if (routine === WAITS_FOR_STANDBY) isUnconfirmed = true;
    },
    isUnconfirmed: () => isUnconfirmed,
    hangUp: (reason) => {
      hungUpFor = reason;
      lostBy ??= reason;
      broken = true;
      closeSocket(client);
    },
    assertThere,
  };
}

/** Where the warning comes from. Its code stands for every warning, and its message is in the server's language. */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN';

/** Runs calls one after another, in the order they came. A client that does not pipeline wants it so. */
export function createQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => {});
    return next;
  };
}
