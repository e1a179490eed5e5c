import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestCertificate } from './self-signed.js';

/** A proxy on this machine, which only opens tunnels (`CONNECT`). */
export interface ConnectProxy {
  readonly url: string;
  /** The authorities that were asked for, in order. */
  readonly asked: readonly string[];
  /** The values of `Proxy-Authorization`. */
  readonly credentials: readonly (string | undefined)[];
  /** The open connections. */
  openConnections(): number;
}

/** How a proxy behaves. */
export interface ConnectProxyOptions {
  /**
   * Returns the address on this machine that stands for a host, by default the host itself. For null, the proxy answers
   * 502.
   */
  readonly reach?: (host: string) => string | null;
  /** Whether the proxy resolves names. If not, it answers 502 for a name. Default: false. */
  readonly resolves?: boolean;
  /** The `Proxy-Authorization` that it accepts. Others get 407. */
  readonly accepts?: string;
  readonly tls?: TestCertificate;
  /** Replaces its answer, for example by nothing at all. */
  readonly answer?: (socket: Socket, request: IncomingMessage) => void;
}

/** Starts it for the test. */
export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const { reach = () => '127.0.0.1', resolves = false, accepts, tls, answer } = options;
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const open = new Set<Socket>();
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => {});
    const authority = request.url ?? '';
    const given = request.headers['proxy-authorization'];
    asked.push(authority);
    credentials.push(given);
    if (answer !== undefined) return answer(socket, request);
    if (accepts !== undefined && given !== accepts) return refuse(socket, 407);
    const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(authority) ?? [];
    const address = isIP(host) === 0 && !resolves ? null : reach(host);
    if (address === null) return refuse(socket, 502);
    const far = connect(Number(port), address, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    far.on('error', () => socket.destroy());
    socket.on('close', () => far.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  return { url, asked, credentials, openConnections: () => open.size };
}

function refuse(socket: Socket, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
}
