import type { Handler } from '@partner-hiring/core';
import { handlerOf, liesUnder, refuseBasePathTwice, sendReply } from '@partner-hiring/node-http';
import { type MountedOn, pathsOf, refuseBehindParser } from './body-parsers.js';
import {
  createExpressReader,
  type ExpressRequest,
  type ExpressResponse,
  targetOf,
} from './express-request.js';
import { createTakenPathWarning } from './taken-path.js';

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
 * Mounts the partner API in Express. Mount it before any body parser, because it needs the raw bytes. A prefix is
 * possible. Serves all requests under the base path, and passes others to `next`. Keeps headers of earlier
 * middleware, except `X-Powered-By: Express` and those that the API sets. The client's address is `req.ip`: behind
 * a proxy, set `trust proxy`. If a body parser that `app.use` cannot detect has read a body, the partner gets a
 * 500, and the fix is logged and emitted as a process warning.
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
  // Express emits `mount` on every function with `handle` and `set`, as on a sub-application.
  const mounted: ExpressMiddleware & { mountpath?: unknown } = Object.assign(serve, hooks);
  return mounted;
}

const ADAPTER = 'partnerHiringExpress';

/** Whether the target is under the base path, as sent or after resolving dot segments. */
function isForPartners(request: ExpressRequest, basePath: string): boolean {
  return liesUnder(request.url, basePath) || liesUnder(targetOf(request), basePath);
}

/** Express adds this header by default. Keeps a value that the host has set. */
function removePoweredBy(response: ExpressResponse): void {
  if (response.headersSent) return;
  if (response.getHeader('X-Powered-By') === 'Express') response.removeHeader('X-Powered-By');
}
