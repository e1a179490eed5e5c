import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A socket as Node's servers accept it. */
type Accepted = Socket & { readonly server?: { readonly listening?: boolean } };

/** Servers that were seen listening: one that never does is handed its connections, and says nothing of its end so. */
const seenListening = new WeakSet<object>();

/**
 * Whether the server of an HTTP/1 request takes no more connections. It then waits for those that it has, and Node ends
 * only those that are idle at that moment: busy clients would keep theirs, and the server, for good.
 */
export function isClosing({ httpVersionMajor, socket }: IncomingMessage): boolean {
  if (httpVersionMajor > 1) return false;
  const { server } = socket as Accepted;
  if (server === undefined) return false;
  if (server.listening === false) return seenListening.has(server);
  seenListening.add(server);
  return false;
}
