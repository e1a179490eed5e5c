import { connect } from 'node:net';
import type { ClientBase } from 'pg';

/** What `pg` knows of a connection; its types do not say so. */
interface Reached {
  readonly host?: string;
  readonly port?: number;
  /** What the server said at the start: who may cancel. Null before it has. */
  readonly processID?: number | null;
  readonly secretKey?: number | null;
}

/** In the place of the protocol's version. */
const CANCEL_REQUEST = 80_877_102;
/** Whoever does not take it by then does not answer anything. */
const TAKEN_WITHIN_MS = 5_000;

/**
 * Asks the server to end what a connection has under way. Nobody waits for that any more, but the server does not see
 * that: it would stay there, with all that it holds or waits for. It may come to nothing, as where nobody is reached.
 */
export function cancelOn(client: ClientBase): void {
  const { host, port, processID, secretKey } = client as Reached;
  if (!host || !port || typeof processID !== 'number' || typeof secretKey !== 'number') return;
  const request = Buffer.alloc(16);
  for (const [index, word] of [request.length, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(word, 4 * index);
  }
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.on('error', () => {});
  socket.setTimeout(TAKEN_WITHIN_MS, () => socket.destroy());
  socket.unref();
  socket.end(request);
}
