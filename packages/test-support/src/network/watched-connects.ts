import { Socket, type SocketConnectOpts } from 'node:net';
import { onTestFinished } from 'vitest';

/** The connections that this process attempts. */
export interface WatchedConnects {
  /** The target addresses. */
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
 * Intercepts socket connections during the test. Allows the loopback; records and refuses everything else, so that
 * no test sends a packet to another machine. Runs custom lookups like Node.
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
      refuse(new Error('The test blocked this connection.'));
      return this;
    }
    target.lookup(host, { all: true }, (error, found) => {
      if (error === null) addresses.push(...found.map(({ address }) => address));
      refuse(error ?? new Error('The test blocked this connection.'));
    });
    return this;
  }

  Socket.prototype.connect = connect as typeof original;
  onTestFinished(() => {
    Socket.prototype.connect = original;
  });
  return { addresses };
}

/** Node passes either an array with the normalized arguments, or the original arguments. */
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
