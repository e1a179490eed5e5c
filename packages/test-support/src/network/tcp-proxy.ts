import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that simulates network failures. */
export interface TcpProxy {
  readonly port: number;
  /**
   * Drops all bytes in both directions, on old and new connections. Neither side sees the other close.
   */
  swallow(): void;
  /** Drops all bytes of a connection once the client has sent this text, with or without it. */
  swallowAt(text: string, what: 'with_it' | 'the_answer'): void;
  /** Forwards new connections again. Closes those that lost bytes. */
  forward(): void;
  /** Closes every connection. */
  cut(): void;
  /** Closes a connection when the client has sent this text, after forwarding that share of the bytes. */
  cutWithin(text: string, share: number): void;
  /**
   * Closes a connection once the server has answered a request with this text, after forwarding that share of the
   * answer; default none.
   */
  cutAfter(text: string, share?: number): void;
  /** The number of open client connections. */
  openConnections(): number;
  close(): Promise<void>;
}

/** One connection through the proxy. */
interface Link {
  readonly near: Socket;
  readonly far: Socket;
  /** Whether bytes were lost. The connection is then unusable. */
  isDead: boolean;
}

/** The fault for the first connection with this text. */
type Trap =
  | { readonly text: string; readonly what: 'with_it' | 'the_answer' }
  | { readonly text: string; readonly what: 'cut_within' | 'cut_after'; readonly share: number };

/** Starts a proxy on loopback to a server. */
export async function startTcpProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  const links = new Set<Link>();
  let isSwallowing = false;
  let trap: Trap | null = null;

  function end(link: Link): void {
    links.delete(link);
    link.near.destroy();
    link.far.destroy();
  }

  function isLost(link: Link): boolean {
    if (isSwallowing) link.isDead = true;
    return link.isDead;
  }

  function fromClient(link: Link, bytes: Buffer): void {
    if (isLost(link)) return;
    if (trap === null || !bytes.includes(trap.text)) return void link.far.write(bytes);
    link.isDead = true;
    const sprung = trap;
    trap = null;
    if (sprung.what === 'cut_within') endWith(link, link.far, bytes, sprung.share);
    else if (sprung.what !== 'with_it') link.far.write(bytes);
    if (sprung.what !== 'cut_after') return;
    // The server has finished the work once its answer arrives.
    link.far.once('data', (answer: Buffer) => endWith(link, link.near, answer, sprung.share));
  }

  /** Closes a connection after forwarding some bytes to one side. */
  function endWith(link: Link, side: Socket, bytes: Buffer, share: number): void {
    side.end(bytes.subarray(0, Math.floor(bytes.length * share)), () => end(link));
  }

  const server = createServer((near) => {
    const far = connect(target.port, target.host);
    const link: Link = { near, far, isDead: isSwallowing };
    links.add(link);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      // While bytes are dropped, the other side does not see the end either.
      socket.on('close', () => {
        if (!link.isDead) end(link);
      });
    }
    near.on('data', (bytes: Buffer) => fromClient(link, bytes));
    far.on('data', (bytes: Buffer) => {
      if (!isLost(link)) near.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    swallow: () => {
      isSwallowing = true;
    },
    swallowAt: (text, what) => {
      trap = { text, what };
    },
    forward: () => {
      isSwallowing = false;
      trap = null;
      for (const link of links) if (link.isDead) end(link);
    },
    cut: () => {
      for (const link of links) end(link);
    },
    cutWithin: (text, share) => {
      trap = { text, what: 'cut_within', share };
    },
    cutAfter: (text, share = 0) => {
      trap = { text, what: 'cut_after', share };
    },
    openConnections: () => [...links].filter(({ near }) => !near.destroyed).length,
    close: async () => {
      for (const link of links) end(link);
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts a proxy to the server of a connection string, and returns one through the proxy. */
export async function startDatabaseProxy(
  connectionString: string,
): Promise<TcpProxy & { readonly connectionString: string }> {
  const url = new URL(connectionString);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, connectionString: url.href };
}
