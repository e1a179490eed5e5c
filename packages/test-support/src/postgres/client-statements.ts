import { type Message, statementOf } from './messages.js';

/** What a pooler sends to the server for a request of a client. */
export interface ForServer {
  readonly bytes: Buffer;
  /** Whether the client gets this answer. It does not where the pooler itself has prepared something. */
  isForClient(answer: Message): boolean;
}

/** The statements that one client has prepared, wherever its transactions run. */
export interface ClientStatements {
  /**
   * Adds what the server's connection lacks of them. Null if the client prepares a name that it has used. Like
   * PgBouncer 1.21 and newer, it keeps a name whose statement the server refused.
   *
   * @param isFresh - the connection has nothing prepared.
   */
  toServer(request: readonly Message[], isFresh: boolean): ForServer | null;
}

/** Keeps the statements of a client by their names. A server's connection loses them after each transaction. */
export function createClientStatements(): ClientStatements {
  const prepared = new Map<string, Message>();
  let onServer = new Set<string>();

  return {
    toServer: (request, isFresh) => {
      if (isFresh) onServer = new Set();
      const sent: Buffer[] = [];
      /** For each statement that the server is told to prepare, whether the client asked for it. */
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
