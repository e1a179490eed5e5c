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

/** What is mounted: a partner API, or anything else with such a handler. */
export interface Mountable {
  readonly handler: Handler;
}

/** A middleware as Express 4 and 5 take it. */
export type ExpressMiddleware = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * The partner API as an Express middleware: `app.use(partnerHiringExpress(partnerHiring))`, before any body
 * parser, or under a prefix of yours.
 *
 * It serves everything under the handler's base path (and under the prefix, if any) and nothing else: other
 * requests go on to what comes next. It reads the raw bytes itself, for idempotency compares them. Headers
 * that earlier middleware set are sent along, except `X-Powered-By: Express`; where both name one, ours wins.
 * The client's address is `req.ip`: set `trust proxy` behind a proxy.
 *
 * A body parser that `app.use` cannot see gets requests with a body a 500, and what to do about it goes to the logger
 * and to the process's warnings.
 *
 * @throws OperatorError `MISCONFIGURED` out of `app.use` if a body parser in front would take the bytes, or the path is
 *   the base path, which is added to it. The message names the fix.
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
        leaveUnsigned(response);
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
  // Express tells whatever has `handle` and `set`, as its own applications do, where it was mounted.
  const mounted: ExpressMiddleware & { mountpath?: unknown } = Object.assign(serve, hooks);
  return mounted;
}

const ADAPTER = 'partnerHiringExpress';

/** Whether a request is the handler's: it leads under the base path as it was sent, or once it is resolved. */
function isForPartners(request: ExpressRequest, basePath: string): boolean {
  return liesUnder(request.url, basePath) || liesUnder(targetOf(request), basePath);
}

/** Express signs replies on its own accord; nothing that the host set. */
function leaveUnsigned(response: ExpressResponse): void {
  if (response.headersSent) return;
  if (response.getHeader('X-Powered-By') === 'Express') response.removeHeader('X-Powered-By');
}
