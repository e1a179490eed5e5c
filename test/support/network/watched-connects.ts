import { Socket, type SocketConnectOpts } from 'node:net';
import { onTestFinished } from 'vitest';

/** The connections that this process attempts. */
export interface WatchedConnects {
  /** The target addresses. */
  readonly addresses: readonly string[];
}

interface Target {
  readonly host?: string;
  readonly port?: number;
  readonly lookup?: (
    host: string,
    options: { readonly all: true },
    callback: (error: Error | null, found: readonly { readonly address: string }[]) => void,
  ) => void;
}

/** Returns the port on this machine that stands for an address and port elsewhere. Null if nothing does. */
export type StandIns = (address: string, port: number) => number | null;

/**
 * Intercepts socket connections during the test. Allows the loopback. Records and refuses everything else, so that no
 * test sends a packet to another machine. On the loopback, records only the given ports, because earlier files of the
 * same process may still connect to their own. Runs custom lookups like Node. If the first address of a lookup has a
 * stand-in, connects to it. Does not watch PostgreSQL's driver, which alone calls `connect(port, host)`.
 */
export function watchConnects(
  loopbackPorts: readonly number[],
  standIns: StandIns = () => null,
): WatchedConnects {
  const addresses: string[] = [];
  const original = Socket.prototype.connect;

  function connect(this: Socket, ...args: unknown[]): Socket {
    if (typeof args[0] !== 'object') return Reflect.apply(original, this, args) as Socket;
    const target = targetOf(args[0]);
    const host = target.host ?? '';
    const record = (address: string) => {
      if (!isLoopback(address) || loopbackPorts.includes(Number(target.port))) addresses.push(address);
    };
    if (isLoopback(host)) {
      record(host);
      return Reflect.apply(original, this, args) as Socket;
    }
    const refuse = (error: Error) => setImmediate(() => this.destroy(error));
    const reach = (address: string) => {
      const port = standIns(address, target.port ?? 0);
      if (port === null) return refuse(new Error('The test blocked this connection.'));
      const onConnect = Array.isArray(args[0]) ? args[0][1] : args[1];
      Reflect.apply(original, this, [{ host: '127.0.0.1', port, noDelay: true }, onConnect]);
    };
    if (target.lookup === undefined || isLiteral(host)) {
      record(host);
      reach(host);
      return this;
    }
    target.lookup(host, { all: true }, (error, found) => {
      if (error !== null) return refuse(error);
      for (const { address } of found) record(address);
      reach(found[0]?.address ?? '');
    });
    return this;
  }

  Socket.prototype.connect = connect as typeof original;
  onTestFinished(() => {
    Socket.prototype.connect = original;
  });
  return { addresses };
}

/**
 * Returns the target of a connection. Node passes either an array with the normalized arguments, or the original
 * arguments.
 */
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
