import { connect } from 'node:net';
import type { TransactionOutcome } from '@partner-hiring/storage-kysely';
import type { ClientBase } from 'pg';
import { breaksConnection, isUnanswered } from './errors.js';
import { closeSocket } from './pg-objects.js';
import type { Send } from './query.js';

interface Reached {
  readonly host?: string;
  readonly port?: number;
  /** Authorises a cancel request, together with `secretKey`. Null until the server has sent both. */
  readonly processID?: number | null;
  readonly secretKey?: number | null;
}

/** The code of a cancel request in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
const TAKEN_WITHIN_MS = 5_000;

/** Asks the server to cancel the statement, so that it releases its locks. Ignores failures. */
export function cancelOn(client: ClientBase): void {
  const { host, port, processID, secretKey } = client as Reached;
  if (!host || !port || typeof processID !== 'number' || typeof secretKey !== 'number') return;
  const request = Buffer.alloc(16);
  for (const [index, word] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(word, 4 * index);
  }
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.on('error', () => {});
  socket.setTimeout(TAKEN_WITHIN_MS, () => socket.destroy());
  socket.unref();
  socket.end(request);
}

export interface ServerConnection {
  /** For code of the host. */
  readonly client: ClientBase;
  /** Runs one statement. If it times out, asks the server to cancel it. */
  statement(sql: string, parameters: readonly unknown[]): Promise<TransactionOutcome>;
  /**
   * Runs the last statement before a commit. It is never cancelled: cancelling could make the commit skip its
   * standby.
   */
  committing(sql: string, parameters: readonly unknown[]): Promise<TransactionOutcome>;
  /** Returns the command tag. */
  command(text: string, withinMs?: number): Promise<string>;
  /** The default timeout of a command. A statement has the same timeout, plus time for large parameters. */
  readonly commandMs: number;
  /** Whether several statements can share a round trip. They still run in the order of the calls. */
  readonly isPipelined: boolean;
  isBroken(): boolean;
  /** Prevents reuse of the connection, for example because a transaction may still be open. */
  discard(): void;
  isReusable(): boolean;
  /** Stores an error that arrives between statements. */
  lose(error: Error): void;
  hear(notice: { readonly routine?: string | undefined }): void;
  /** Whether a commit did not wait for its synchronous standby. */
  isUnconfirmed(): boolean;
  /** Closes the connection at once. Pending calls fail with the reason. */
  hangUp(reason: Error): void;
  /** Throws the error stored by `lose` or `hangUp`, if there is one. No statement was sent after that error. */
  assertThere(): void;
}

export function createPostgresConnection(
  client: ClientBase,
  send: Send,
  commandMs: number,
): ServerConnection {
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
  // Older versions of pg have no pipeline.
  const isPipelined = 'pipeline' in client && client.pipeline === true;
  const inOrder = isPipelined ? <T>(run: () => Promise<T>) => run() : createQueue();
  const ordered = <T>(run: () => Promise<T>) =>
    inOrder(async () => {
      assertThere();
      return run();
    });

  const cancelled = async (answer: Promise<TransactionOutcome>): Promise<TransactionOutcome> => {
    try {
      return await answer;
    } catch (error) {
      if (!broken && isUnanswered(error)) cancelOn(client);
      throw error;
    }
  };

  return {
    client,
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

/**
 * The server function that sends the warning. The warning's code is too generic to identify it, and its
 * message is localised.
 */
const WAITS_FOR_STANDBY = 'SyncRepWaitForLSN';

export function createQueue(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => {});
    return next;
  };
}
