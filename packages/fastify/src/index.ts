import type { Handler } from '@partner-hiring/core';
import {
  createUntakenReader,
  handlerOf,
  localTarget,
  refuseBasePathTwice,
  sendReply,
} from '@partner-hiring/node-http';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { repairTargets } from './bad-targets.js';

/** What is mounted: a partner API, or anything else with such a handler. */
export interface Mountable {
  readonly handler: Handler;
}

/**
 * The partner API as a Fastify plugin: `await app.register(partnerHiringFastify(partnerHiring))`.
 *
 * It serves everything under the handler's base path (and under the `prefix` it is registered with, if any)
 * and nothing else. The application's `onRequest` hooks run before it, `onResponse` after it; body parsers,
 * body limits, error handlers and the other hooks neither see its requests nor its replies. Headers that an
 * `onRequest` hook set are sent along. The client's address is `request.ip`: set `trustProxy` behind a proxy.
 * Give the application `return503OnClosing: false`: what arrives while it closes is otherwise answered by Fastify itself.
 *
 * It reads the raw bytes itself, for idempotency compares them. A hook that has read them before gets requests
 * with a body a 500, and the fix goes to the logger and to the process's warnings.
 *
 * @throws OperatorError `MISCONFIGURED` out of `app.register` if the prefix is the base path, which is added to it.
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
        // Methods that Fastify has no routes for; at the root that is the application's own business.
        if (scope.prefix !== '') scope.setNotFoundHandler(answeredBefore);
      },
      { prefix: handler.basePath },
    );
    repairTargets(instance.server, mountedAt + handler.basePath);
  };
}

const ADAPTER = 'partnerHiringFastify';

const TAKEN =
  'The body of a partner request was read, or made text, before partnerHiringFastify could read it. Keep `onRequest` hooks that read ' +
  'bodies off its path, and middleware that `@fastify/express` or `@fastify/middie` run there, such as ' +
  '`express.json()`. It reads the raw bytes itself, for idempotency compares the bytes that the partner sent.';

/** Answers before Fastify looks at the body: the handler decides whether it is read at all. */
function createServe(handler: Handler, mountedAt: string) {
  const read = createUntakenReader(TAKEN);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack();
    const { raw } = request;
    const answer = await handler(read(raw, localTarget(mountedAt, raw.url ?? '/'), request.ip));
    keepHostHeaders(reply);
    sendReply(raw, reply.raw, answer);
  };
}

/** What the application's hooks set is sent along; where both name a header, ours wins. */
function keepHostHeaders(reply: FastifyReply): void {
  if (reply.raw.headersSent) return;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}

/** The routes exist so that requests get to the hook above, which leaves nothing for them to do. */
function answeredBefore(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply;
}

/** The prefix that the plugin was registered with. What is cut off a target must be the same for all. */
function fixedPrefix({ prefix }: FastifyInstance): string {
  if (!/[:*(]/.test(prefix)) return prefix.replace(/\/$/, '');
  throw new Error(`partnerHiringFastify cannot be registered under "${prefix}": the prefix must not vary.`);
}
