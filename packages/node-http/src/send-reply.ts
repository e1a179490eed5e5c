import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { DiscardLimits, HttpReply } from '@partner-hiring/core';
import { isClosing } from './is-closing.js';

/** Replies after which a client that still sends its body loses its connection. */
const TURNS_AWAY: ReadonlySet<number> = new Set([401, 429, 503]);

/**
 * Sends a reply, and disposes of what was not read of the request. If something of the host's, such as a limit on
 * time, has answered in our place, nobody waits for ours. Of a server that closes it is the last on its connection.
 */
export function sendReply(raw: IncomingMessage, response: ServerResponse, reply: HttpReply): void {
  if (response.headersSent) {
    if (!raw.complete) discardRest(raw, reply.discard, () => {});
    return;
  }
  if (isClosing(raw) || (TURNS_AWAY.has(reply.status) && !raw.complete)) response.shouldKeepAlive = false;
  response.writeHead(reply.status, reply.headers);
  if (raw.complete) {
    response.end(reply.body);
  } else if (isLast(response)) {
    // The whole reply goes out, and Node closes at its end: under a proxy that still sends, which would say 502.
    if (reply.body === '') response.flushHeaders();
    else response.write(reply.body);
    discardRest(raw, reply.discard, () => response.end());
  } else {
    discardRest(raw, reply.discard, () => {});
    response.end(reply.body);
  }
}

/** Whether the connection ends with this reply, as the client or the server wants it. */
function isLast(response: ServerResponse): boolean {
  return response.shouldKeepAlive === false || /\bclose\b/i.test(String(response.getHeader('connection')));
}

/**
 * Reads on without keeping anything, so that the client can end its sending and read the reply: a connection
 * closed at once would reset under it. Beyond the bounds the connection is cut.
 */
function discardRest(raw: IncomingMessage, { maxBytes, maxMs }: DiscardLimits, onEnd: () => void): void {
  let left = maxBytes;
  const cut = () => cutOff(raw);
  const timer = setTimeout(cut, maxMs);
  timer.unref();
  raw.on('data', (chunk: Uint8Array | string) => {
    left -= Buffer.byteLength(chunk);
    if (left < 0) cut();
  });
  raw.once('end', onEnd);
  raw.once('close', () => clearTimeout(timer));
  // A client that goes away now has gone away from a reply that is written: nothing is left to do for it.
  raw.on('error', () => clearTimeout(timer));
  raw.resume();
}

/** Over HTTP/2 the stream alone, without an error: the client keeps the reply, and its session. */
function cutOff(raw: IncomingMessage & { readonly stream?: Partial<ServerHttp2Stream> }): void {
  if (raw.stream?.close) raw.stream.close();
  else raw.destroy();
}
