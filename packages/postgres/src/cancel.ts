import { connect } from 'node:net';
import type { ClientBase } from 'pg';

interface Reached {
  readonly host?: string;
  readonly port?: number;
  /** Authorises a cancel request, together with `secretKey`. Null until the server has sent both. */
  readonly processID?: number | null;
  readonly secretKey?: number | null;
}

/** The code of a cancel request in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
const TAKEN_WITHIN_MS = 5_000;

/** Asks the server to cancel the statement, so that it releases its locks. Ignores failures. */
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
