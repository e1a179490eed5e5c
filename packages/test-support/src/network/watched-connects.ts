import { Socket, type SocketConnectOpts } from 'node:net';
import { onTestFinished } from 'vitest';

/** Every connection that this process sets out to make. */
export interface WatchedConnects {
  /** The addresses that a packet would have gone to, or the loopback's that one went to. */
  readonly addresses: readonly string[];
}

interface Target {
  readonly host?: string;
  readonly lookup?: (
    host: string,
    options: { readonly all: true },
    callback: (error: Error | null, found: readonly { readonly address: string }[]) => void,
  ) => void;
}

/**
 * Stands where sockets connect, until the test ends. What is really the loopback's goes through; anything else
 * is noted and refused, so that no test ever sends a packet to a stranger. A look-up that was brought along is
 * made as Node makes it.
 */
export function watchConnects(): WatchedConnects {
  const addresses: string[] = [];
  const original = Socket.prototype.connect;

  function connect(this: Socket, ...args: unknown[]): Socket {
    const target = targetOf(args[0]);
    const host = target.host ?? '';
    if (isLoopback(host)) {
      addresses.push(host);
      return Reflect.apply(original, this, args) as Socket;
    }
    const refuse = (error: Error) => setImmediate(() => this.destroy(error));
    if (target.lookup === undefined || isLiteral(host)) {
      addresses.push(host);
      refuse(new Error('It was held back.'));
      return this;
    }
    target.lookup(host, { all: true }, (error, found) => {
      if (error === null) addresses.push(...found.map(({ address }) => address));
      refuse(error ?? new Error('It was held back.'));
    });
    return this;
  }

  Socket.prototype.connect = connect as typeof original;
  onTestFinished(() => {
    Socket.prototype.connect = original;
  });
  return { addresses };
}

/** Node hands its arguments over in an array that it has put in order, or as they are. */
function targetOf(argument: unknown): Target {
  const options: unknown = Array.isArray(argument) ? argument[0] : argument;
  return (options ?? {}) as Target & SocketConnectOpts;
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === '::1';
}

function isLiteral(host: string): boolean {
  return /^[\d.]+$|:/.test(host);
}
