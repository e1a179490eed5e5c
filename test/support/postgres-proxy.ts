import { connect, createServer, type Socket } from 'node:net';

/** Stands between the storage and the server, and fails as networks do. */
export interface PostgresProxy {
  /** The address of the proxy, in the server's place. */
  readonly connectionString: string;
  /** Swallows every byte in both directions, of connections old and new, until it is healed. */
  hang(): void;
  /** Lets bytes pass again. What was swallowed is lost, as it would be. */
  heal(): void;
  /** Closes every connection. */
  cut(): void;
  /** Closes a connection as soon as it has handed on bytes that hold this text, before the answer. */
  cutAfter(text: string): void;
  close(): Promise<void>;
}

/** Opens a proxy to the server of a connection string. */
export async function openProxy(connectionString: string): Promise<PostgresProxy> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let isHanging = false;
  let fatal: string | null = null;

  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    const both = [near, far];
    let isCut = false;
    const end = () => both.map((socket) => socket.destroy());
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    near.on('data', (bytes) => {
      if (isHanging || isCut) return;
      if (fatal === null || !bytes.includes(fatal)) return void far.write(bytes);
      isCut = true;
      fatal = null;
      // The server has read and done it once its answer is here.
      far.once('data', end);
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (!isHanging && !isCut) near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);

  return {
    connectionString: url.href,
    hang: () => {
      isHanging = true;
    },
    heal: () => {
      isHanging = false;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    cutAfter: (text) => {
      fatal = text;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
