import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { Readable } from 'node:stream';
import { isError } from './is-error.js';

export type Reply = Pick<Response, 'status' | 'body'>;

/** How long to wait for a connection. If it takes longer, a firewall probably drops the packets. */
export const CONNECT_MS = 10_000;

/**
 * Sends a POST request as the service does. Unlike `fetch`, it allows every port, does not decompress the response,
 * and ignores an unexpected `100 Continue`.
 */
export function post(url: string, { headers, body, signal }: RequestInit, connectMs: number): Promise<Reply> {
  const send = url.startsWith('https:') ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: Object.fromEntries(new Headers(headers)) };
    const request = send(url, signal ? { ...options, signal } : options);
    request.on('error', reject);
    request.on('response', (response) => resolve(replyOf(response)));
    giveUpConnecting(request, connectMs);
    write(request, body).catch((error: unknown) => request.destroy(asError(error)));
  });
}

function replyOf(response: IncomingMessage): Reply {
  return { status: response.statusCode ?? 0, body: Readable.toWeb(response) as ReadableStream<Uint8Array> };
}

function giveUpConnecting(request: ClientRequest, afterMs: number): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      request.destroy(Object.assign(new Error('Connecting timed out.'), { code: 'ETIMEDOUT' }));
    }, afterMs);
    for (const end of ['connect', 'close']) socket.once(end, () => clearTimeout(timer));
  });
}

/** Writes the body. Sends a string at once, with its length in the headers, and a stream piece by piece. */
async function write(request: ClientRequest, body: RequestInit['body']): Promise<void> {
  if (typeof body === 'string') return void request.end(body);
  for await (const piece of new Response(body ?? null).body ?? []) request.write(piece);
  request.end();
}

function asError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(String(thrown));
}
