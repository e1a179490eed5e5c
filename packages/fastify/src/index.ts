import type { Handler } from '@partner-hiring/core';
import {
  createUntakenReader,
  handlerOf,
  localTarget,
  RAW_BODY,
  refuseBasePathTwice,
  sendReply,
} from '@partner-hiring/node-http';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { repairTargets } from './bad-targets.js';

/** An object with a handler, such as the result of `createPartnerHiring`. */
export interface Mountable {
  readonly handler: Handler;
}

/**
 * Mounts the partner API in Fastify. Serves all requests under the base path, and under `prefix` if you set one. Your
 * `onRequest` and `onResponse` hooks run, and the response keeps the headers that they set. Your body parsers, body
 * limits, error handlers and other hooks do not run for these requests. The client's address is `request.ip`: behind a
 * proxy, set `trustProxy`. Create the application with `return503OnClosing: false`, because otherwise Fastify answers
 * requests itself during shutdown. The partner API needs the raw bytes. If a hook has read a body, the adapter takes
 * the bytes from `rawBody` of Node's request. If `rawBody` does not have them either, the partner gets a 500. The log
 * and a process warning then explain the fix.
 * @throws OperatorError `MISCONFIGURED` from `app.register` if the prefix contains the base path.
 * @example
 * ```ts
 * const app = Fastify({ return503OnClosing: false });
 * await app.register(partnerHiringFastify(partnerHiring));
 * await app.listen({ port: 3000 });
 * ```
 */
export function partnerHiringFastify(mountable: Mountable): FastifyPluginAsync {
  const handler = handlerOf(mountable, ADAPTER);
  return async (instance) => {
    const mountedAt = fixedPrefix(instance);
    refuseBasePathTwice(mountedAt, handler.basePath, ADAPTER);
    const serve = createServe(handler, mountedAt);
    await instance.register(
      async (scope) => {
        scope.addHook('onRequest', serve);
        for (const url of ['/', '/*']) scope.all(url, answeredBefore);
        // Catches methods without a route. If the API is mounted at the root, the application's own handler
        // answers them.
        if (scope.prefix !== '') scope.setNotFoundHandler(answeredBefore);
      },
      { prefix: handler.basePath },
    );
    repairTargets(instance.server, mountedAt + handler.basePath);
  };
}

const ADAPTER = 'partnerHiringFastify';

const TAKEN =
  'Other code read the body of a partner request, or called setEncoding, before partnerHiringFastify. ' +
  'Do not run `onRequest` hooks that read bodies on its path. ' +
  'Do not run body parsers such as `express.json()` there either, through `@fastify/express` or `@fastify/middie`. ' +
  `The partner API needs the raw bytes, because idempotency compares them. ${RAW_BODY}`;

/** Runs before Fastify reads the body, because the handler decides whether to read it. */
function createServe(handler: Handler, mountedAt: string) {
  const read = createUntakenReader(TAKEN);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack();
    const { raw } = request;
    const answer = await handler(read(raw, localTarget(mountedAt, raw.url ?? '/'), request.ip, request));
    keepHostHeaders(reply);
    sendReply(raw, reply.raw, answer);
  };
}

/** Keeps the headers that the application's hooks set. If the API sets the same header, its value wins. */
function keepHostHeaders(reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}

/** Never runs: the routes exist only so that Fastify calls the `onRequest` hook. */
function answeredBefore(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply;
}

/**
 * Returns the prefix of the plugin. Throws if it contains parameters or wildcards, because the prefix must be
 * fixed.
 */
function fixedPrefix({ prefix }: FastifyInstance): string {
  if (!/[:*(]/.test(prefix)) return prefix.replace(/\/$/, '');
  throw new Error(
    `partnerHiringFastify cannot be registered under "${prefix}": use a prefix without parameters or wildcards.`,
  );
}
