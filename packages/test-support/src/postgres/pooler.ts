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
 * A pooler, in transaction mode unless told otherwise, as strict as one can be: each transaction of a client, and each
 * statement outside one, gets another server connection, on which `DISCARD ALL` was said after whoever had it before.
 */
export interface Pooler {
  /** The address of the pooler, in the server's place. It lets in whoever comes. */
  readonly connectionString: string;
  /** How often a server connection was handed to a client. */
  handedOut(): number;
  close(): Promise<void>;
}

/** A connection to the server, while it is nobody's or one client's. */
interface ServerConnection {
  readonly socket: Socket;
  /** Sends requests and resolves when all is answered; hands on what comes meanwhile. */
  ask(bytes: Buffer, onAnswer: (answer: Message) => void): Promise<'idle' | 'in_transaction'>;
}

/** How the stand-in behaves. */
export interface PoolerOptions {
  /** How many connections it has to the server. */
  readonly size?: number;
  /** Whether it knows prepared statements, as PgBouncer does from 1.21 on. */
  readonly preparedStatements?: boolean;
  /** In statement mode it ends a connection that has begun a transaction, as PgBouncer does. */
  readonly mode?: 'transaction' | 'statement';
}

/** Few, so that clients meet connections that others have used. */
const SERVER_CONNECTIONS = 5;

export async function startPooler(
  connectionString: string,
  { size = SERVER_CONNECTIONS, preparedStatements = false, mode = 'transaction' }: PoolerOptions = {},
): Promise<Pooler> {
  const servers = await Promise.all(Array.from({ length: size }, () => connectServer(connectionString)));
  // In turn, so that a client hardly ever gets the same one again.
  const idle = [...servers];
  const waiting: ((server: ServerConnection) => void)[] = [];
  const clients = new Set<Socket>();
  let handedOut = 0;

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
      // PgBouncer closes the connection, too: an error alone would be hard to tell a client that pipelines.
      if (forServer === null) client.end(fatal('08P01', 'prepared statement name is already in use'));
      return forServer;
    };
    const requests = createRequestQueue(acquire, release, toServer, (answer) => {
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
    connectionString: url.href,
    handedOut: () => handedOut,
    close: async () => {
      for (const client of clients) client.destroy();
      for (const { socket } of servers) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** What `pg` wants to know of a server. */
const TOLD = { server_version: '18.0', client_encoding: 'UTF8', standard_conforming_strings: 'on' };

/** What is sent to the server for a request; null if the client must go. `isFresh`: its connection was just taken. */
type ToServer = (request: readonly Message[], isFresh: boolean) => ForServer | null;

function bytesOf(messages: readonly Message[]): Buffer {
  return Buffer.concat(messages.map(({ bytes }) => bytes));
}

/** Answers the requests of one client in their order, each transaction on a connection of its own. */
function createRequestQueue(
  acquire: () => Promise<ServerConnection>,
  release: (server: ServerConnection) => Promise<void>,
  toServer: ToServer,
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
      const done = held;
      held = null;
      // The next request may as well come before this one is clean again: it gets another.
      void release(done);
    }
    isRunning = false;
    if (hasEnded) await letGo();
  }

  /** Of a client that went away in a transaction. */
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

/** Logs in by `pg`, whatever the server asks for, and then takes the bare socket over. */
async function connectServer(connectionString: string): Promise<ServerConnection> {
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
    ask: (bytes, onAnswer) =>
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
