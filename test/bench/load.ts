import { connect, type Socket } from 'node:net';

/** What one burst of load measured. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Replies by status, so that a figure is never one of errors. */
  readonly statuses: Readonly<Record<number, number>>;
  /** How long each request took, in microseconds. */
  readonly latenciesUs: readonly number[];
}

/** A burst of load: closed loop, one request under way on each connection. */
export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** The next request, whole, as it goes over the wire. */
  readonly nextRequest: () => string;
}

/**
 * Sends requests over keep-alive connections until the time is up. It reads no more of a reply than its status
 * and its length, so that the generator leaves the machine to the server.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const statuses: Record<number, number> = {};
  const latenciesUs: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + options.durationMs;
  const replies = await Promise.all(
    Array.from({ length: options.connections }, () => drive(options, until, { statuses, latenciesUs })),
  );
  const total = replies.reduce((sum, count) => sum + count, 0);
  return { requestsPerSecond: total / ((performance.now() - startedAt) / 1000), statuses, latenciesUs };
}

interface Observations {
  readonly statuses: Record<number, number>;
  readonly latenciesUs: number[];
}

function drive(options: LoadOptions, until: number, seen: Observations): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let pending = '';
    const socket: Socket = connect(options.port, '127.0.0.1');
    let sentAt = 0;
    const send = () => {
      const request = options.nextRequest();
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.once('connect', send);
    socket.once('error', reject);
    socket.on('data', (chunk: string) => {
      pending += chunk;
      const length = replyLength(pending);
      if (length === null || pending.length < length) return;
      seen.latenciesUs.push((performance.now() - sentAt) * 1_000);
      const status = Number(pending.slice(9, 12));
      seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
      pending = pending.slice(length);
      count += 1;
      if (performance.now() < until) return void send();
      socket.end();
      resolve(count);
    });
  });
}

const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;

/** The length of the first reply in the text, or null while its head is incomplete. */
export function replyLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const length = CONTENT_LENGTH.exec(text.slice(0, headEnd))?.[1];
  if (length === undefined) throw new Error('The load generator needs a Content-Length on every reply.');
  return headEnd + 4 + Number(length);
}
