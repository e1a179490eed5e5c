import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { DiscardLimits, HttpReply } from '@partner-hiring/core';

/** After a reply with one of these statuses, the server disconnects a client that is still sending. */
const TURNS_AWAY: ReadonlySet<number> = new Set([401, 429, 503]);

/**
 * Sends a reply, unless host code has already sent one. Discards the unread rest of the request. Closes the
 * connection during shutdown.
 */
export function sendReply(raw: IncomingMessage, response: ServerResponse, reply: HttpReply): void {
  if (response.headersSent) {
    if (!isRead(raw)) discardRest(raw, reply.discard, () => {});
    return;
  }
  if (isClosing(raw) || (TURNS_AWAY.has(reply.status) && !isRead(raw))) response.shouldKeepAlive = false;
  response.writeHead(reply.status, reply.headers);
  if (isRead(raw)) {
    response.end(reply.body);
  } else if (isLast(response)) {
    // Ending the response also closes the connection. A proxy that is still sending would then report 502, so
    // end the response after the request.
    if (reply.body === '') response.flushHeaders();
    else response.write(reply.body);
    discardRest(raw, reply.discard, () => response.end());
  } else {
    discardRest(raw, reply.discard, () => {});
    response.end(reply.body);
  }
}

/** Whether nothing is left to read. Requests that a platform rebuilds from an event are never `complete`. */
function isRead({ complete, readableEnded }: IncomingMessage): boolean {
  return complete || readableEnded;
}

/** Whether the client or the server closes the connection after this reply. */
function isLast(response: ServerResponse): boolean {
  return response.shouldKeepAlive === false || /\bclose\b/i.test(String(response.getHeader('connection')));
}

/**
 * Discards the rest of the body up to the limits, then disconnects. Disconnecting at once would lose the
 * reply.
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
  // The reply is already written, so an error of the client needs no handling.
  raw.on('error', () => clearTimeout(timer));
  raw.resume();
}

/** Stops the request. Over HTTP/2, closes only the stream, so the client keeps the reply and its session. */
function cutOff(raw: IncomingMessage & { readonly stream?: Partial<ServerHttp2Stream> }): void {
  if (raw.stream?.close) raw.stream.close();
  else raw.destroy();
}

type Accepted = Socket & { readonly server?: { readonly listening?: boolean } | null };

/**
 * The servers that have been seen listening. Some servers never listen, because other code hands them connections.
 * Their `listening` is always false, which does not mean a shutdown.
 */
const seenListening = new WeakSet<object>();

/**
 * Returns whether the server is shutting down. Node then closes only idle connections, so a busy client could
 * keep the server open forever.
 */
function isClosing({ httpVersionMajor, socket }: IncomingMessage): boolean {
  if (httpVersionMajor > 1) return false;
  const { server } = socket as Accepted;
  if (server === undefined || server === null) return false;
  if (server.listening === false) return seenListening.has(server);
  seenListening.add(server);
  return false;
}
