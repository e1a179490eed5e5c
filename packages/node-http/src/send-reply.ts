import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpReply } from '@partner-hiring/core';

/** What is still thrown away of a body that nobody reads: enough for any honest client to see the reply. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024;
/** How long that may take. */
const MAX_DISCARD_MS = 5_000;

/**
 * Sends a reply, and disposes of what was not read of the request. If something of the host's, such as a limit on
 * time, has answered in our place, nobody waits for ours.
 */
export function sendReply(raw: IncomingMessage, response: ServerResponse, reply: HttpReply): void {
  if (!raw.complete) discardRest(raw);
  if (response.headersSent) return;
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body);
}

/**
 * Reads on without keeping anything, so that the client can end its sending and read the reply: a connection
 * closed at once would reset under it. Beyond the bounds the connection is cut.
 */
function discardRest(raw: IncomingMessage): void {
  let left = MAX_DISCARDED_BYTES;
  const cut = () => raw.destroy();
  const timer = setTimeout(cut, MAX_DISCARD_MS);
  timer.unref();
  raw.on('data', (chunk: Uint8Array) => {
    left -= chunk.byteLength;
    if (left < 0) cut();
  });
  raw.once('close', () => clearTimeout(timer));
  // A client that goes away now has gone away from a reply that is written: nothing is left to do for it.
  raw.on('error', () => clearTimeout(timer));
  raw.resume();
}
