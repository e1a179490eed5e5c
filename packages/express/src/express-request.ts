import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createUntakenReader,
  liesUnder,
  localTarget,
  RAW_BODY,
  withoutOrigin,
} from '@partner-hiring/node-http';
import { MOUNT_FIRST } from './body-parsers.js';

/** Warns once if a router or a pattern such as Nest's `forRoutes('*')` removes the base path from the target. */
export function createTakenPathWarning(basePath: string): (request: ExpressRequest) => void {
  let isDue = true;
  return ({ originalUrl, baseUrl }) => {
    if (!isDue || originalUrl === undefined || baseUrl === undefined || baseUrl === '') return;
    if (!liesUnder(originalUrl, basePath) || !liesUnder(baseUrl, basePath)) return;
    isDue = false;
    const message =
      `partnerHiringExpress is mounted at a path that removes "${basePath}" from the target, so it serves nothing. ` +
      'Mount it without a path: `app.use(partnerHiringExpress(partnerHiring))`.';
    process.emitWarning(message, { type: 'PartnerHiringWarning', code: 'MISCONFIGURED' });
  };
}

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
