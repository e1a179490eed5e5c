import { once } from 'node:events';
import { connect } from 'node:net';
import { parseResponse, type RawResponse } from './raw-response.js';

export interface RawConnection {
  write(bytes: string | Uint8Array): void;
  /** Sends each piece in a packet of its own, as far as the network allows. */
  writePieces(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  /** Reads the next response, including interim ones (1xx). */
  read(method?: string): Promise<RawResponse>;
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  destroy(): void;
}

/** How long to wait for a response. It is shorter than the timeout of a test. */
const RESPONSE_TIMEOUT_MS = 10_000;

export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let bytes = Buffer.alloc(0);
  let isEnded = false;
  let onNews = () => {};
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    onNews();
  });
  // A reset needs no handling here: the missing response fails the test.
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
      const timer = setTimeout(() => fail(`No response in ${RESPONSE_TIMEOUT_MS} ms`), RESPONSE_TIMEOUT_MS);
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
