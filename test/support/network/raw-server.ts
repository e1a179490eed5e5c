import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

/**
 * Sends raw bytes. Resolves with the response when the server closes the connection or `isEnough` returns
 * true.
 */
export function sendRaw(
  port: number,
  chunks: readonly string[],
  isEnough = (_text: string) => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    socket.setEncoding('utf8');
    socket.on('data', (data) => {
      text += data;
      if (isEnough(text)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

/** Returns the start of a request: the request line, `Host`, and these extra lines. */
export function requestHead(method: string, path: string, ...lines: string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: test', ...lines].join('\r\n')}\r\n\r\n`;
}

/** The head of a request with `Connection: close`. */
export function lastHead(method: string, path: string, ...lines: string[]): string {
  return requestHead(method, path, 'Connection: close', ...lines);
}

/** A server that a test controls byte by byte. */
export interface RawServer {
  readonly port: number;
  /** Its http address. */
  readonly url: string;
  /** The number of connections so far. */
  connections(): number;
  /** The number of open connections. */
  openConnections(): number;
}

/** Starts a server on loopback for the test. */
export async function startRawServer(
  onConnection: (socket: Socket) => void,
  tls?: TlsOptions,
): Promise<RawServer> {
  const open = new Set<Socket>();
  let count = 0;
  const serve = (socket: Socket) => void onConnection(socket.on('error', () => {}));
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('connection', (socket: Socket) => {
    count += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hooks?token=hidden`,
    connections: () => count,
    openConnections: () => open.size,
  };
}

/** A raw request. */
export interface RawRequest {
  readonly head: string;
  readonly body: string;
}

/** Calls `act` for each complete request on a socket, with the number of requests before it. */
export function onRequests(socket: Socket, act: (request: RawRequest, before: number) => void): void {
  let bytes = Buffer.alloc(0);
  let count = 0;
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n');
      const head = bytes.subarray(0, Math.max(end, 0)).toString();
      const bodyEnd = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (end < 0 || bytes.length < bodyEnd) return;
      const body = bytes.subarray(end + 4, bodyEnd).toString();
      bytes = bytes.subarray(bodyEnd);
      act({ head, body }, count++);
    }
  });
}

/** Starts a server that calls `act` for each complete request, with the number of requests before it on the socket. */
export function startRequestServer(
  act: (socket: Socket, request: RawRequest, before: number) => void,
  tls?: TlsOptions,
): Promise<RawServer> {
  return startRawServer((socket) => onRequests(socket, (...request) => act(socket, ...request)), tls);
}

/** A server that responds to every request with the same text. */
export function startAnswering(answer: string | Buffer, tls?: TlsOptions): Promise<RawServer> {
  return startRequestServer((socket) => socket.write(answer), tls);
}
