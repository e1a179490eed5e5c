import type { IncomingMessage, ServerResponse } from 'node:http';
import { createUntakenReader, localTarget, RAW_BODY, withoutOrigin } from '@partner-hiring/node-http';
import { MOUNT_FIRST } from './body-parsers.js';

/** The parts of an Express request that the adapter uses. */
export interface ExpressRequest extends IncomingMessage {
  /** The request target below the mount path. */
  url: string;
  /** The request target as the client sent it. `baseUrl` is the part that the routers removed from it. */
  readonly originalUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
  /**
   * The client's address as Express's `trust proxy` setting determines it. Undefined once the connection has
   * closed.
   */
  readonly ip?: string | undefined;
}

/** The response of Node. */
export type ExpressResponse = ServerResponse;

const UNKNOWN_ADDRESS = 'unknown';

const TAKEN = `Other code read the body of a partner request, or called setEncoding, before partnerHiringExpress. ${MOUNT_FIRST} ${RAW_BODY}`;

/** Converts Express requests for the handler. Reading a body rejects if other code has already read it. */
export function createExpressReader() {
  const read = createUntakenReader(TAKEN);
  return (request: ExpressRequest) => read(request, targetOf(request), request.ip ?? UNKNOWN_ADDRESS);
}

/**
 * Returns the request target below the mount path, after resolving dot segments. Returns `/` if the dot
 * segments lead out of that path.
 */
export function targetOf({ baseUrl = '', url }: Pick<ExpressRequest, 'baseUrl' | 'url'>): string {
  return localTarget(baseUrl, baseUrl + withoutOrigin(url));
}
