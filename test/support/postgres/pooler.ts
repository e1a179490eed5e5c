import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { createClientStatements, type ForServer } from './client-statements.js';
import {
  createMessageReader,
  endsRequest,
  fatal,
  isCancelRequest,
  isEncryptionRequest,
  type Message,
  query,
  readyStatus,
  welcome,
} from './messages.js';

/**
 * A strict pooler, by default in transaction mode: each transaction, and each statement outside a transaction, gets
 * another server connection. Before that, the pooler runs `DISCARD ALL` on the connection.
 */
export type Pooler = Awaited<ReturnType<typeof startPooler>>;

/** A server connection, idle or used by one client. */
type ServerConnection = Awaited<ReturnType<typeof connectServer>>;

/** Options of the pooler. */
export interface PoolerOptions {
  /** The number of server connections. */
  readonly size?: number;
  /** Whether the pooler tracks prepared statements, like PgBouncer 1.21 or newer. */
  readonly preparedStatements?: boolean;
  /** In statement mode, the pooler closes a client connection that begins a transaction, like PgBouncer. */
  readonly mode?: 'transaction' | 'statement';
  /**
   * Like Supavisor and pgdog, releases the server connection at the first answer that ends a transaction. The client never
   * gets the answers to further statements that it has sent.
   */
  readonly releasesAtFirstAnswer?: boolean;
}

/** The number is small, so that clients must share connections. */
const SERVER_CONNECTIONS = 5;

export async function startPooler(
  connectionString: string,
  {
    size = SERVER_CONNECTIONS,
    preparedStatements = false,
    mode = 'transaction',
    ...rest
  }: PoolerOptions = {},
) {
  const servers = await Promise.all(Array.from({ length: size }, () => connectServer(connectionString)));
  // The connections are used round robin, so that a client rarely gets the same one again.
  const idle = [...servers];
  const waiting: ((server: ServerConnection) => void)[] = [];
  const clients = new Set<Socket>();
  let handedOut = 0;
  const { releasesAtFirstAnswer = false } = rest;

  async function acquire(): Promise<ServerConnection> {
    const server = idle.shift() ?? (await new Promise<ServerConnection>((resolve) => waiting.push(resolve)));
    handedOut += 1;
    return server;
  }

  async function release(server: ServerConnection): Promise<void> {
    await server.ask(query('DISCARD ALL'), () => {});
    const next = waiting.shift();
    if (next === undefined) idle.push(server);
    else next(server);
  }

  function serve(client: Socket): void {
    clients.add(client);
    client.setNoDelay(true).on('error', () => {});
    const statements = preparedStatements ? createClientStatements() : null;
    const toServer: ToServer = (request, isFresh) => {
      if (statements === null) return { bytes: bytesOf(request), isForClient: () => true };
      const forServer = statements.toServer(request, isFresh);
      // PgBouncer also closes the connection, because a client that pipelines could not tell which request
      // the error belongs to.
      if (forServer === null) client.end(fatal('08P01', 'prepared statement name is already in use'));
      return forServer;
    };
    const requests = createRequestQueue(acquire, release, toServer, releasesAtFirstAnswer, (answer) => {
      if (mode === 'transaction' || readyStatus(answer) !== 'in_transaction') client.write(answer.bytes);
      else client.end(fatal('08P01', 'transaction blocks not allowed in statement pooling mode'));
    });
    client.on('close', () => {
      clients.delete(client);
      requests.end();
    });
    let unended: Message[] = [];
    const read = createMessageReader((each: Message) => {
      if (isEncryptionRequest(each)) client.write('N');
      else if (isCancelRequest(each) || each.type === 'X') client.end();
      else if (each.type === '') client.write(welcome(TOLD));
      else {
        unended.push(each);
        if (!endsRequest(each)) return;
        requests.push(unended);
        unended = [];
      }
    }, true);
    client.on('data', read);
  }

  const listener = createServer(serve).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(connectionString);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;

  return {
    /** The address of the pooler. It does not authenticate. */
    connectionString: url.href,
    /** How many times clients got a server connection. */
    handedOut: () => handedOut,
    close: async () => {
      for (const client of clients) client.destroy();
      for (const { socket } of servers) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** The server parameters that `pg` expects at the start of a connection. */
const TOLD = { server_version: '18.0', client_encoding: 'UTF8', standard_conforming_strings: 'on' };

/**
 * Returns the bytes for the server, or null to close the client's connection. `isFresh` means that the server
 * connection is new to this client.
 */
type ToServer = (request: readonly Message[], isFresh: boolean) => ForServer | null;

function bytesOf(messages: readonly Message[]): Buffer {
  return Buffer.concat(messages.map(({ bytes }) => bytes));
}

/** Runs the requests of one client one at a time. Each transaction gets a server connection from the pool. */
function createRequestQueue(
  acquire: () => Promise<ServerConnection>,
  release: (server: ServerConnection) => Promise<void>,
  toServer: ToServer,
  losesQueued: boolean,
  onAnswer: (answer: Message) => void,
) {
  const queue: (readonly Message[])[] = [];
  let held: ServerConnection | null = null;
  let isRunning = false;
  let hasEnded = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (let next = queue.shift(); next !== undefined && !hasEnded; next = queue.shift()) {
      const isFresh = held === null;
      held ??= await acquire();
      const forServer = toServer(next, isFresh);
      if (forServer === null) break;
      const { bytes, isForClient } = forServer;
      const status = await held.ask(bytes, (answer) => {
        if (isForClient(answer)) onAnswer(answer);
      });
      if (status === 'in_transaction') continue;
      if (losesQueued) queue.length = 0;
      const done = held;
      held = null;
      // This does not wait for the cleanup. A request that arrives meanwhile gets another server connection.
      void release(done);
    }
    isRunning = false;
    if (hasEnded) await letGo();
  }

  /** If the client has left during a transaction, rolls back and returns its server connection. */
  async function letGo(): Promise<void> {
    if (held === null) return;
    const left = held;
    held = null;
    await left.ask(query('ROLLBACK'), () => {});
    await release(left);
  }

  return {
    push(request: readonly Message[]): void {
      queue.push(request);
      if (!isRunning) void run();
    },
    end(): void {
      hasEnded = true;
      if (!isRunning) void letGo();
    },
  };
}

/** Logs in to the server with `pg`, then takes over the socket of `pg`. */
async function connectServer(connectionString: string) {
  const login = new Client({ connectionString });
  await login.connect();
  const socket = takeOver(login);
  let answered: (status: 'idle' | 'in_transaction') => void = () => {};
  let handOn: (answer: Message) => void = () => {};
  const read = createMessageReader((each) => {
    handOn(each);
    const status = readyStatus(each);
    if (status !== null) answered(status);
  }, false);
  socket.on('data', read);
  return {
    socket,
    /**
     * Sends requests and passes each response to `onAnswer`. Resolves after the last response, with the
     * transaction state.
     */
    ask: (bytes: Buffer, onAnswer: (answer: Message) => void) =>
      new Promise((resolve) => {
        answered = resolve;
        handOn = onAnswer;
        socket.write(bytes);
      }),
  };
}

function takeOver(client: Client): Socket {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners();
  stream.on('error', () => {});
  return stream;
}
