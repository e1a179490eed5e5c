import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handler, OperatorError } from '@partner-hiring/core';
import {
  createUntakenReader,
  handlerOf,
  liesUnder,
  localTarget,
  RAW_BODY,
  refuseBasePathTwice,
  sendReply,
} from '@partner-hiring/node-http';

/** An object with a handler, such as the result of `createPartnerHiring`. */
export interface Mountable {
  readonly handler: Handler;
}

/** Options of `createNodeHandler`. */
export interface NodeHandlerOptions {
  /** A path to put before the base path. With `/hiring`, serves `/hiring/api/v1/external`. */
  readonly prefix?: string | undefined;
  /**
   * Returns the client's address. The default is the address of the connection, which is the proxy's address
   * behind a proxy.
   */
  readonly clientAddress?: ((request: IncomingMessage) => string | undefined) | undefined;
}

/**
 * Serves a request. Resolves after the reply is written, or after `next`. It never rejects by itself: an
 * unexpected error goes to `next`, or ends in a 500 without a body if there is no `next`.
 */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => unknown,
) => Promise<void>;

/**
 * Mounts the partner API in a server of `node:http`, or in a framework on top of it, such as Koa. Serves all requests
 * under the base path. Calls `next` for others, or answers 404 if there is no `next`. Keeps response headers that were
 * set before, except those that the API sets itself. The partner API needs the raw bytes of a body. If other code has
 * read a body, the adapter takes the bytes from `request.rawBody`. If `rawBody` does not have them either, the partner
 * gets a 500. The log and a process warning then explain the fix.
 * @throws OperatorError `MISCONFIGURED` if the prefix does not start with `/`, or contains the base path.
 * @example
 * ```ts
 * createServer(createNodeHandler(partnerHiring)).listen(3000);
 * ```
 */
export function createNodeHandler(mountable: Mountable, options: NodeHandlerOptions = {}): NodeHandler {
  const handler = handlerOf(mountable, ADAPTER);
  const { clientAddress = ({ socket }) => socket.remoteAddress } = options;
  const prefix = readPrefix(options.prefix ?? '', handler.basePath);
  const read = createUntakenReader(TAKEN);

  return async (request, response, next) => {
    const { url = '/' } = request;
    const target = localTarget(prefix, url);
    const isOurs = liesUnder(url, prefix + handler.basePath) || liesUnder(target, handler.basePath);
    if (!isOurs && next !== undefined) return void (await next());
    try {
      const reply = await handler(read(request, target, clientAddress(request) ?? UNKNOWN_ADDRESS));
      sendReply(request, response, reply);
    } catch (error) {
      if (next !== undefined) return void (await next(error));
      if (!response.headersSent) response.statusCode = 500;
      response.end();
    }
  };
}

const ADAPTER = 'createNodeHandler';
const UNKNOWN_ADDRESS = 'unknown';

const TAKEN =
  'Other code read the body of a partner request, or called setEncoding, before createNodeHandler. ' +
  'Call it before the body parser, such as `koa-bodyparser`, or limit the parser to your own routes. ' +
  `The partner API needs the raw bytes, because idempotency compares them. ${RAW_BODY}`;

/** Returns the prefix without a slash at its end. */
function readPrefix(given: string, basePath: string): string {
  const prefix = given.replace(/\/$/, '');
  if (prefix !== '' && !prefix.startsWith('/')) {
    throw new OperatorError(
      'MISCONFIGURED',
      `The prefix ${JSON.stringify(given)} of ${ADAPTER} must start with "/", as in "/hiring".`,
    );
  }
  refuseBasePathTwice(prefix, basePath, ADAPTER);
  return prefix;
}
