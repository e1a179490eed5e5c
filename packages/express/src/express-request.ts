import type { IncomingMessage, ServerResponse } from 'node:http';
import { createUntakenReader, localTarget, withoutOrigin } from '@partner-hiring/node-http';
import { MOUNT_FIRST } from './body-parsers.js';

/** What is read of an Express request beyond Node's own. */
export interface ExpressRequest extends IncomingMessage {
  /** The target below where the middleware is mounted. */
  url: string;
  /** The whole target, and what of its path was taken off on the way to the middleware. */
  readonly originalUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
  /** The client's address, by the application's `trust proxy`; none once the connection is gone. */
  readonly ip?: string | undefined;
}

/** What is used of an Express response: no more than Node's own. */
export type ExpressResponse = ServerResponse;

/** As for servers that do not know the address. */
const UNKNOWN_ADDRESS = 'unknown';

const TAKEN = `The body of a partner request was read, or made text, before partnerHiringExpress could read it. ${MOUNT_FIRST}`;

/** Express requests as the handler takes them. If something else has read a body, reading it rejects. */
export function createExpressReader() {
  const read = createUntakenReader(TAKEN);
  return (request: ExpressRequest) => read(request, targetOf(request), request.ip ?? UNKNOWN_ADDRESS);
}

/** The target below where the middleware is mounted, with its dot segments resolved. They may lead out of there. */
export function targetOf({ baseUrl = '', url }: Pick<ExpressRequest, 'baseUrl' | 'url'>): string {
  return localTarget(baseUrl, baseUrl + withoutOrigin(url));
}
