import type { Handler } from '@partner-hiring/core';
import { handlerOf, liesUnder, refuseBasePathTwice, sendReply } from '@partner-hiring/node-http';
import { type MountedOn, pathsOf, refuseBehindParser } from './body-parsers.js';
import {
  createExpressReader,
  createTakenPathWarning,
  type ExpressRequest,
  type ExpressResponse,
  targetOf,
} from './express-request.js';

export type { ExpressRequest, ExpressResponse } from './express-request.js';

/** An object with a handler, such as the result of `createPartnerHiring`. */
export interface Mountable {
  readonly handler: Handler;
}

/** A middleware for Express 4 and 5. */
export type ExpressMiddleware = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Mounts the partner API in Express. Mount it before any body parser, because the partner API needs the raw bytes. You
 * may mount it under a path. It serves all requests under the base path and passes others to `next`. It keeps response
 * headers of earlier middleware, except `X-Powered-By: Express` and headers that the API sets itself. The client's
 * address is `req.ip`: behind a proxy, set `trust proxy`. `app.use` cannot detect every body parser. If an undetected
 * one has read a body, the adapter takes the bytes from `request.rawBody`, where Google and Firebase leave them. If
 * `rawBody` does not have them either, the partner gets a 500. The log and a process warning then explain the fix.
 * @throws OperatorError `MISCONFIGURED` from `app.use` if it is mounted behind a body parser or at the base path.
 * @example
 * ```ts
 * const app = express();
 * app.use(partnerHiringExpress(partnerHiring));
 * app.use(express.json());
 * ```
 */
export function partnerHiringExpress(mountable: Mountable): ExpressMiddleware {
  const handler = handlerOf(mountable, ADAPTER);
  const read = createExpressReader();
  const warnOfTakenPath = createTakenPathWarning(handler.basePath);
  const serve: ExpressMiddleware = (request, response, next) => {
    if (!isForPartners(request, handler.basePath)) {
      warnOfTakenPath(request);
      return next();
    }
    handler(read(request))
      .then((reply) => {
        removePoweredBy(response);
        sendReply(request, response, reply);
      })
      .catch(next);
  };
  const hooks = {
    handle: serve,
    set: () => {},
    emit: (event: string, parent: MountedOn) => {
      if (event !== 'mount') return;
      const { mountpath = '/' } = mounted;
      for (const path of pathsOf(mountpath)) refuseBasePathTwice(path, handler.basePath, ADAPTER);
      refuseBehindParser(parent, mountpath, handler.basePath);
    },
  };
  // Express treats a function with `handle` and `set` as a sub-application, and emits `mount` on it.
  const mounted: ExpressMiddleware & { mountpath?: unknown } = Object.assign(serve, hooks);
  return mounted;
}

const ADAPTER = 'partnerHiringExpress';

/** Returns whether the target is under the base path, either as sent or after resolving dot segments. */
function isForPartners(request: ExpressRequest, basePath: string): boolean {
  return liesUnder(request.url, basePath) || liesUnder(targetOf(request), basePath);
}

/** Removes the `X-Powered-By` header that Express adds by default, but keeps a value that the host has set. */
function removePoweredBy(response: ExpressResponse): void {
  if (response.headersSent) return;
  if (response.getHeader('X-Powered-By') === 'Express') response.removeHeader('X-Powered-By');
}
