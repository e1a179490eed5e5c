import type { Socket } from 'node:net';
import type { TransportFailure } from '../../../packages/core/src/domain/delivery.js';
import { onRequests, type RawRequest } from '../network/raw-server.js';

/** A behavior of a receiver and the expected outcomes. */
export interface Behaviour {
  readonly name: string;
  /** The kind of port; default TLS with a valid certificate. */
  readonly port?: Port;
  /** Handles one connection. */
  play(socket: Socket, around: Surroundings): void;
  /** The outcome of each attempt, in order. All later attempts repeat the last outcome. */
  readonly ends: readonly [ExpectedEnd, ...ExpectedEnd[]];
}

/** How the port handles TLS. `tls` has a valid certificate. On a `plain` port, the behavior handles TLS itself. */
export type Port = 'tls' | 'plain' | 'expired' | 'other_host' | 'unknown_authority' | 'old_tls';

/** The tools that a behavior gets from the receiver. */
export interface Surroundings {
  /** URLs that must never be called. */
  readonly canary: { readonly https: string; readonly http: string };
  /** The number of requests to this behavior before the current one. */
  requestsBefore(): number;
  /** Records a request. Behaviors built with `answer` do not need to call it. */
  note(request: RawRequest): void;
}

/** The expected outcome of an attempt. */
export type ExpectedEnd =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly excerpt: string | RegExp;
      readonly retryAfterMs?: number;
      /** Whether only the status counts, because the answer is not HTTP to the letter. */
      readonly isOdd?: boolean;
    }
  | { readonly kind: 'failed'; readonly failures: readonly TransportFailure[] };

/** Expects a response with this status. `excerpt` is the part of the body that the sender keeps. */
export function answered(status: number, excerpt: string | RegExp = '', retryAfterMs?: number): ExpectedEnd {
  return { kind: 'answered', status, excerpt, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Expects that only the status of an answer counts. */
export function oddly(status: number): ExpectedEnd {
  return { kind: 'answered', status, excerpt: '', isOdd: true };
}

/** Expects no response, with one of these failures. */
export function failed(...failures: readonly TransportFailure[]): ExpectedEnd {
  return { kind: 'failed', failures };
}

/** Handles every request of a connection. */
export function answer(
  play: (socket: Socket, around: Surroundings, before: number) => void,
): Behaviour['play'] {
  return (socket, around) =>
    onRequests(socket, (request) => {
      const before = around.requestsBefore();
      around.note(request);
      play(socket, around, before);
    });
}

/** Responds to every request with the same bytes. */
export function say(bytes: string | Buffer): Behaviour['play'] {
  return answer((socket) => void socket.write(bytes));
}

/** A response without a reason phrase. */
export function reply(status: number | string, body: string | Buffer = '', fields: readonly string[] = []) {
  const content = Buffer.from(body);
  const head = [`HTTP/1.1 ${status} `, ...fields, `content-length: ${content.length}`];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content]);
}
