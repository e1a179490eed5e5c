import type { Socket } from 'node:net';
import type { TransportFailure } from '../../../core/src/domain/delivery.js';
import { onRequests, type RawRequest } from '../network/raw-server.js';

/** One way in which a receiver behaves, and what an attempt at it must end with. */
export interface Behaviour {
  readonly name: string;
  /** What is behind the port; TLS with a certificate that is in order if left out. */
  readonly port?: Port;
  /** Plays one connection. */
  play(socket: Socket, around: Surroundings): void;
  /** How the first attempt ends, the second, and so on; the last one stands for all that follow. */
  readonly ends: readonly [ExpectedEnd, ...ExpectedEnd[]];
}

/** What is behind a port. `plain` speaks no TLS by itself: the behaviour plays that too. */
export type Port = 'tls' | 'plain' | 'expired' | 'other_host' | 'unknown_authority' | 'old_tls';

/** What a behaviour may use besides its own socket. */
export interface Surroundings {
  /** Where nobody may ever call, over https and over http. */
  readonly canary: { readonly https: string; readonly http: string };
  /** How many whole requests came to this behaviour before the one that is played, on any connection. */
  requestsBefore(): number;
  /** Notes a whole request; those that `answer` plays are noted by themselves. */
  note(request: RawRequest): void;
}

/** What an attempt must end with. */
export type ExpectedEnd =
  | { readonly kind: 'answered'; readonly status: number; readonly excerpt: string | RegExp }
  | { readonly kind: 'failed'; readonly failures: readonly TransportFailure[] };

/** It ended with an answer, of which that much is kept. */
export function answered(status: number, excerpt: string | RegExp = ''): ExpectedEnd {
  return { kind: 'answered', status, excerpt };
}

/** It ended without an answer: one of these, where it depends on which side is faster. */
export function failed(...failures: readonly TransportFailure[]): ExpectedEnd {
  return { kind: 'failed', failures };
}

/** Plays every whole request of a connection. */
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

/** Answers every request with the same bytes. */
export function say(bytes: string | Buffer): Behaviour['play'] {
  return answer((socket) => void socket.write(bytes));
}

/** A whole answer. The reason is left out of the status line, as it may be. */
export function reply(status: number | string, body: string | Buffer = '', fields: readonly string[] = []) {
  const content = Buffer.from(body);
  const head = [`HTTP/1.1 ${status} `, ...fields, `content-length: ${content.length}`];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content]);
}
