import type { PartnerId } from '@partner-hiring/core';
import type { ConsoleRight } from './rights.js';

/** Somebody who uses the console. It has these fields and no others. */
export interface ConsoleActor {
  /** Your own id of the person: 1 to 200 characters. The audit records it. */
  readonly id: string;
  /** The person's name: 1 to 200 characters. The audit records it, and the console shows it. */
  readonly name: string;
  /** What the person may see and do, for all of `partnerIds` alike. The console answers an unknown right with 503. */
  readonly rights: readonly ConsoleRight[];
  /**
   * The partners whose objects the person may see and change: `'all'`, or at most 100 ids. An empty list means no
   * partner. Objects of all other partners look as if they did not exist.
   */
  readonly partnerIds: 'all' | readonly PartnerId[];
}

/**
 * Says who sent a request. Return null for somebody who may not use the console: the console then answers 404.
 * `host` is the request of your framework, for sessions that are stored there: Express's `req`, Fastify's
 * `request`, or what you passed to `console.fetch` as the second argument.
 */
export type ConsoleActorHook = (
  request: Request,
  host: unknown,
) => ConsoleActor | null | Promise<ConsoleActor | null>;
