import { type Message, statementOf } from './messages.js';

/** The messages that the pooler sends to the server for a client. */
export interface ForServer {
  readonly bytes: Buffer;
  /**
   * Returns whether to pass this answer on to the client. The answer to a prepare that the pooler has added is not
   * passed on.
   */
  isForClient(answer: Message): boolean;
}

/** The prepared statements of a client. They outlive its server connection. */
export interface ClientStatements {
  /**
   * Returns the client's request, with the prepares that the server connection lacks. Returns null if the
   * client prepares a name that is in use. Like in PgBouncer 1.21 or newer, a name stays in use even if the
   * server rejects its statement.
   *
   * @param isFresh - whether the server connection has no prepared statements.
   */
  toServer(request: readonly Message[], isFresh: boolean): ForServer | null;
}

/** Tracks the prepared statements of one client. A server connection loses them after each transaction. */
export function createClientStatements(): ClientStatements {
  const prepared = new Map<string, Message>();
  let onServer = new Set<string>();

  return {
    toServer: (request, isFresh) => {
      if (isFresh) onServer = new Set();
      const sent: Buffer[] = [];
      /** One entry for each prepare that is sent: true if the client requested it, false if the pooler added it. */
      const areAskedFor: boolean[] = [];
      for (const message of request) {
        const name = statementOf(message);
        if (name !== null && name !== '') {
          if (message.type === 'P') {
            if (prepared.has(name)) return null;
            prepared.set(name, message);
          } else if (message.type === 'C') prepared.delete(name);
          const known = prepared.get(name);
          if (message.type !== 'P' && known !== undefined && !onServer.has(name)) {
            sent.push(known.bytes);
            areAskedFor.push(false);
          }
          onServer.add(name);
        }
        if (message.type === 'P') areAskedFor.push(true);
        sent.push(message.bytes);
      }
      return {
        bytes: Buffer.concat(sent),
        isForClient: ({ type }) => type !== PARSE_COMPLETE || areAskedFor.shift() !== false,
      };
    },
  };
}

const PARSE_COMPLETE = '1';
