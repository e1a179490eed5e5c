import { connect } from 'node:net';
import { replyLength } from './load.js';

/** A server that answers lone requests, all with one status. */
export interface LoneTarget {
  readonly port: number;
  readonly status: number;
  readonly nextRequest: () => string;
}

/** One connection that carries one request after the other. */
export interface LoneClient {
  /** How long the next request takes, in µs. */
  time(): Promise<number>;
  close(): void;
}

/** Connects to a server. */
export function openLone({ port, status, nextRequest }: LoneTarget): Promise<LoneClient> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
  let sentAt = 0;
  let pending = '';
  let resolve = (_us: number): void => {};
  let reject = (_error: Error): void => {};
  socket.on('data', (chunk: string) => {
    pending += chunk;
    const length = replyLength(pending);
    if (length === null || pending.length < length) return;
    const us = (performance.now() - sentAt) * 1_000;
    if (Number(pending.slice(9, 12)) === status) resolve(us);
    else reject(new Error(`Got ${pending.slice(0, length)}`));
    pending = pending.slice(length);
  });
  const client: LoneClient = {
    time: () =>
      new Promise((onTime, onError) => {
        [resolve, reject] = [onTime, onError];
        const request = nextRequest();
        sentAt = performance.now();
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
  return new Promise((opened, failed) => {
    socket.once('error', (error) => {
      failed(error);
      reject(error);
    });
    socket.once('connect', () => opened(client));
  });
}
