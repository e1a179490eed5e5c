import type { IncomingMessage } from 'node:http';
import { OperatorError } from '@partner-hiring/core';
import { MAX_FORM_BYTES } from '../http/read-form.js';
import { formText, toWebRequest } from './to-web-request.js';

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
  send(body: string): unknown;
}

/** The parts of a Fastify instance that the console uses. */
export interface ConsoleFastifyInstance {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'string' },
    parse: (request: unknown, body: string, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  route(route: {
    method: string[];
    url: string;
    bodyLimit: number;
    handler: (request: ConsoleFastifyRequest, reply: ConsoleFastifyReply) => Promise<unknown>;
  }): unknown;
}

/** Mounts the console in Fastify. Your hooks run, such as those of sessions. */
export type ConsoleFastifyPlugin = (instance: ConsoleFastifyInstance) => Promise<void>;

type Answer = (request: Request, host: unknown) => Promise<Response>;

/** Creates the plugin. It reads forms itself, within its own scope. */
export function createFastifyPlugin(answer: Answer, path: string): ConsoleFastifyPlugin {
  const handler = async (request: ConsoleFastifyRequest, reply: ConsoleFastifyReply) => {
    const { method = 'GET', url: target = '/', rawHeaders, headers } = request.raw;
    const body = method === 'POST' ? (formText(request.body) ?? '') : null;
    const isEncrypted = request.protocol === 'https';
    const web = toWebRequest({ method, target, rawHeaders, headers, isEncrypted, body });
    const answered = web === null ? new Response('Bad request', { status: 400 }) : await answer(web, request);
    reply.code(answered.status);
    for (const cookie of answered.headers.getSetCookie()) reply.header('set-cookie', cookie);
    for (const [name, value] of answered.headers) if (name !== 'set-cookie') reply.header(name, value);
    return reply.send(await answered.text());
  };

  return async (instance) => {
    if (instance.prefix !== '') {
      throw new OperatorError(
        'MISCONFIGURED',
        `Register the console without a prefix, and set its option \`path\` to "${instance.prefix}${path}" instead.`,
      );
    }
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    for (const url of [path, `${path}/*`]) {
      instance.route({ method: ['GET', 'POST'], url, bodyLimit: MAX_FORM_BYTES, handler });
    }
  };
}
