import { once } from 'node:events';
import { connect } from 'node:net';
import { parseResponse, type RawResponse } from './raw-response.js';

/** A connection to the server under test, byte by byte. */
export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** Sends one piece after the other, each in a packet of its own as far as the system allows. */
  writePieces(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** The next response to a request of that method; interim ones (1xx) count. */
  read(method?: string): Promise<RawResponse>;
  /** Resolves once the connection is closed, from whichever side. */
  readonly closed: Promise<void>;
  /** Cuts the connection. */
  destroy(): void;
}

/** Slower than any honest answer, faster than a test's time-out. */
const PATIENCE_MS = 10_000;

/** Opens a connection on the loopback. */
export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let bytes = Buffer.alloc(0);
  let isEnded = false;
  let onNews = () => {};
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    onNews();
  });
  // A reset shows as a response that never comes; what came before it still counts.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isEnded = true;
      onNews();
      resolve();
    });
  });
  await once(socket, 'connect');

  function read(method = 'GET'): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) =>
        reject(new Error(`${why}; so far: ${JSON.stringify(bytes.toString('latin1'))}`));
      const timer = setTimeout(() => fail(`No response in ${PATIENCE_MS} ms`), PATIENCE_MS);
      onNews = () => {
        const parsed = parseResponse(bytes, method, isEnded);
        if (parsed === null && !isEnded) return;
        clearTimeout(timer);
        onNews = () => {};
        if (parsed === null) return fail('The connection was closed');
        bytes = bytes.subarray(parsed.taken);
        resolve(parsed.response);
      };
      onNews();
    });
  }

  return {
    write: (data) => void socket.write(data),
    writePieces: async (pieces) => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    read,
    closed,
    destroy: () => void socket.destroy(),
  };
}
