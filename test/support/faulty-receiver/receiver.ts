import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { RawRequest } from '../network/raw-server.js';
import { createSelfSigned } from '../network/self-signed.js';
import { type Behaviour, type Port, reply } from './behaviour.js';

/** Faulty receivers on separate ports, and a canary that must not be called. */
export type FaultyReceiver = Awaited<ReturnType<typeof startFaultyReceiver>>;

/** The host name in the certificates. A test must resolve it to the loopback address. */
export const RECEIVER_HOST = 'hooks.test';

/** Starts all receivers on the loopback. */
export async function startFaultyReceiver(behaviours: readonly Behaviour[]) {
  const good = await createSelfSigned([RECEIVER_HOST]);
  const expired = await createSelfSigned([RECEIVER_HOST], new Date(Date.now() - 60_000));
  const otherHost = await createSelfSigned(['other.test']);
  const tls: Readonly<Record<Port, TlsOptions | null>> = {
    tls: good,
    plain: null,
    expired,
    other_host: otherHost,
    unknown_authority: await createSelfSigned([RECEIVER_HOST]),
    old_tls: { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
  };
  const openToBehaviours = new Set<Socket>();
  const openToCanary = new Set<Socket>();
  let canaryConnections = 0;
  const servers: Server[] = [];
  const ports = new Map<Behaviour, number>();
  const requests = new Map<Behaviour, RawRequest[]>();

  async function listen(options: TlsOptions | null, open: Set<Socket>, play: (socket: Socket) => void) {
    const serve = (socket: Socket) => play(socket.on('error', () => {}));
    const server = options === null ? createServer(serve) : createTlsServer(options, serve);
    server.on('connection', (socket: Socket) => {
      if (open === openToCanary) canaryConnections += 1;
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const sing = (socket: Socket) => void socket.end(reply(200, 'canary'));
  const canary = {
    https: `https://${RECEIVER_HOST}:${await listen(good, openToCanary, sing)}/canary`,
    http: `http://127.0.0.1:${await listen(null, openToCanary, sing)}/canary`,
  };
  for (const behaviour of behaviours) {
    const came: RawRequest[] = [];
    requests.set(behaviour, came);
    const around = {
      canary,
      requestsBefore: () => came.length,
      note: (request: RawRequest) => void came.push(request),
    };
    const port = await listen(tls[behaviour.port ?? 'tls'], openToBehaviours, (socket) =>
      behaviour.play(socket, around),
    );
    ports.set(behaviour, port);
  }

  return {
    /** The certificate authority that has signed the valid certificates. */
    ca: [good.cert, expired.cert, otherHost.cert].join('\n'),
    urlOf: (behaviour: Behaviour) => `https://${RECEIVER_HOST}:${ports.get(behaviour)}/hooks`,
    /** The bodies of all requests, in order. */
    requestsTo: (behaviour: Behaviour) => requests.get(behaviour) ?? [],
    /** Clears the recorded requests. */
    forget() {
      for (const came of requests.values()) came.length = 0;
    },
    /** The number of open connections. */
    openConnections: () => [...openToBehaviours].filter(isConnected).length,
    /** The number of connections to the canary. */
    canaryConnections: () => canaryConnections,
    async close() {
      for (const socket of [...openToBehaviours, ...openToCanary]) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Node 26 does not report the end of a TLS socket that the server closed right after the handshake. */
function isConnected({ remoteAddress }: Socket): boolean {
  return remoteAddress !== undefined;
}
