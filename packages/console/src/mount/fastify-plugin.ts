import type { IncomingMessage } from 'node:http';
import { OperatorError } from '@partner-hiring/core';
import type { AnswerRequest } from '../http/pages-app.js';
import { lazyBody } from './lazy-body.js';
import { isFile, readableOf } from './node-handler.js';
import { toWebRequest } from './to-web-request.js';

/** The parts of a Fastify request that the console uses. */
export interface ConsoleFastifyRequest {
  readonly raw: IncomingMessage;
  readonly protocol: string;
  readonly body: unknown;
}

/** The parts of a Fastify reply that the console uses. */
export interface ConsoleFastifyReply {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body: unknown): unknown;
}

/** The parts of a Fastify instance that the console uses. */
export interface ConsoleFastifyInstance {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parse: (request: unknown, payload: unknown, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  route(route: {
    method: string[];
    url: string;
    handler: (request: ConsoleFastifyRequest, reply: ConsoleFastifyReply) => Promise<unknown>;
  }): unknown;
}

/** Mounts the console in Fastify. Your hooks run, such as those of sessions. */
export type ConsoleFastifyPlugin = (instance: ConsoleFastifyInstance) => Promise<void>;

/** Creates the plugin. It reads forms itself, within its own scope. */
export function createFastifyPlugin(
  answer: AnswerRequest,
  path: string,
  kind: 'console' | 'portal',
): ConsoleFastifyPlugin {
  const handler = async (request: ConsoleFastifyRequest, reply: ConsoleFastifyReply) => {
    const { method = 'GET', url: target = '/', rawHeaders, headers } = request.raw;
    const body = method === 'POST' ? lazyBody(request.raw, target, request.body) : null;
    const isEncrypted = request.protocol === 'https';
    const web = toWebRequest({ method, target, rawHeaders, headers, isEncrypted, body });
    const answered = web === null ? new Response('Not found', { status: 404 }) : await answer(web, request);
    reply.code(answered.status);
    // The rest of an unread body would keep the connection busy.
    if (!request.raw.complete) reply.header('connection', 'close');
    for (const cookie of answered.headers.getSetCookie()) reply.header('set-cookie', cookie);
    for (const [name, value] of answered.headers) if (name !== 'set-cookie') reply.header(name, value);
    return reply.send(isFile(answered) ? readableOf(answered) : await answered.text());
  };

  return async (instance) => {
    if (instance.prefix !== '') {
      throw new OperatorError(
        'MISCONFIGURED',
        `Register the ${kind} without a prefix, and set its option \`path\` to "${instance.prefix}${path}" instead.`,
      );
    }
    instance.removeAllContentTypeParsers();
    // Leaves the body unread.
    instance.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of [path, `${path}/*`]) {
      instance.route({ method: ['GET', 'POST'], url, handler });
    }
  };
}
