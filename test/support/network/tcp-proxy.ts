import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy that simulates network failures. */
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** A kill that waits for its piece of data. */
export interface PieceKill {
  /** Resolves when the connection to the server was ended. */
  readonly done: Promise<void>;
  /** Closes the client's side too, or stops waiting. Returns whether the piece came. */
  end(): boolean;
}

/** One connection through the proxy: the client's socket and the server's socket. */
interface Link {
  readonly near: Socket;
  readonly far: Socket;
  /** Whether the proxy has dropped bytes of this connection. The connection is then unusable. */
  isDead: boolean;
}

/** The fault to inject into the first connection on which the client sends this text. */
type Trap =
  | { readonly text: string; readonly what: 'with_it' | 'the_answer' }
  | { readonly text: string; readonly what: 'cut_within' | 'cut_after'; readonly share: number };

/** Starts a proxy on loopback to a server. */
export async function startTcpProxy(target: { readonly host: string; readonly port: number }) {
  const links = new Set<Link>();
  let isSwallowing = false;
  let trap: Trap | null = null;
  let counting: ((link: Link) => boolean) | null = null;

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
    if (counting?.(link) === true) return;
    if (trap === null || !bytes.includes(trap.text)) return void link.far.write(bytes);
    link.isDead = true;
    const sprung = trap;
    trap = null;
    if (sprung.what === 'cut_within') endWith(link, link.far, bytes, sprung.share);
    else if (sprung.what !== 'with_it') link.far.write(bytes);
    if (sprung.what !== 'cut_after') return;
    // The server's answer shows that it has finished the work.
    link.far.once('data', (answer: Buffer) => endWith(link, link.near, answer, sprung.share));
  }

  function killAtPiece(number: number): PieceKill {
    let left = number;
    let killed: Link | null = null;
    let resolve = () => {};
    const done = new Promise<void>((ended) => {
      resolve = ended;
    });
    counting = (link) => {
      left -= 1;
      if (left !== 0) return false;
      killed = link;
      link.isDead = true;
      link.far.once('close', () => resolve());
      link.far.destroy();
      return true;
    };
    return {
      done,
      end: () => {
        counting = null;
        if (killed !== null) end(killed);
        return killed !== null;
      },
    };
  }

  /** Forwards a share of the bytes to one side, then closes the connection. */
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
      // If bytes of the connection were dropped, the other side must not see its end either.
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
    /**
     * Drops all bytes in both directions, on old and new connections. Neither side sees the other close.
     */
    swallow: () => {
      isSwallowing = true;
    },
    /**
     * Drops all bytes of a connection from the moment the client sends this text. `with_it` also drops the
     * text; `the_answer` forwards the text and drops the answer.
     */
    swallowAt: (text: string, what: 'with_it' | 'the_answer') => {
      trap = { text, what };
    },
    /** Forwards the bytes of new connections again. Closes the connections that have lost bytes. */
    forward: () => {
      isSwallowing = false;
      trap = null;
      for (const link of links) if (link.isDead) end(link);
    },
    /** Closes every connection. */
    cut: () => {
      for (const link of links) end(link);
    },
    /**
     * Closes the connection on which the client sends this text, after forwarding only a share (0 to 1) of
     * those bytes.
     */
    cutWithin: (text: string, share: number) => {
      trap = { text, what: 'cut_within', share };
    },
    /**
     * Forwards a request with this text, and then only a share (0 to 1) of the server's answer. Then closes the
     * connection. By default, forwards nothing of the answer.
     */
    cutAfter: (text: string, share = 0) => {
      trap = { text, what: 'cut_after', share };
    },
    /**
     * Counts the pieces of data that clients send from now on, over all connections. At piece `number`, drops the piece
     * and ends its connection to the server. The server sees what it would see of a killed client. The client waits for
     * an answer until `end` or `close`.
     */
    killAtPiece,
    /** The number of open client connections. */
    openConnections: () => [...links].filter(({ near }) => !near.destroyed).length,
    close: async () => {
      for (const link of links) end(link);
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Starts a proxy to the server of a connection string. Also returns a connection string that leads through
 * the proxy.
 */
export async function startDatabaseProxy(
  connectionString: string,
): Promise<TcpProxy & { readonly connectionString: string }> {
  const url = new URL(connectionString);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { ...proxy, connectionString: url.href };
}
