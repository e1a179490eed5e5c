import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { partnerWebhooksExpress } from '@partner-hiring/webhook-verifier/express';
import { partnerWebhooksFastify } from '@partner-hiring/webhook-verifier/fastify';
import { partnerWebhooksFetch, type WebhookReceiverOptions } from '@partner-hiring/webhook-verifier/fetch';
import express, { type ErrorRequestHandler, type Express } from 'express';
import Fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import { EXPRESS } from '../../support/servers/express-name.js';

/** An application with a receiver. */
export interface Mounted {
  readonly server: Server;
  readonly port: number;
  /** Errors of the framework's error handler, which returns 500. */
  readonly errors: readonly unknown[];
}

/** Mounts a receiver at `POST /webhooks`, like the README. */
type Mount = (options: WebhookReceiverOptions) => Promise<Mounted>;

/** Express with middleware before the receiver. */
export async function mountExpress(
  options: WebhookReceiverOptions,
  prepare: (app: Express) => void = () => {},
): Promise<Mounted> {
  const errors: unknown[] = [];
  const onError: ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error);
    response.status(500).end();
  };
  const app = express();
  prepare(app);
  app.post('/webhooks', partnerWebhooksExpress(options));
  app.use(onError);
  return serve(app, errors);
}

/** Fastify with other plugins. */
export async function mountFastify(
  options: WebhookReceiverOptions,
  prepare: (app: FastifyInstance) => void = () => {},
): Promise<Mounted> {
  const errors: unknown[] = [];
  const app = Fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  app.setErrorHandler((error, _request, reply) => {
    errors.push(error);
    return reply.code(500).send();
  });
  prepare(app);
  await app.register(partnerWebhooksFastify({ path: '/webhooks', ...options }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { server: app.server, port: (app.server.address() as AddressInfo).port, errors };
}

/** A server that passes a `Request`, like Next, Hono, Deno and Bun. */
export async function mountFetch(
  handle: (request: Request) => Response | Promise<Response>,
): Promise<Mounted> {
  const errors: unknown[] = [];
  const listener: RequestListener = async (incoming, outgoing) => {
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
    const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
    const init = {
      method: 'POST',
      headers: Object.fromEntries(headers),
      body,
      duplex: 'half',
    } as RequestInit;
    try {
      const response = await handle(new Request(`http://localhost${incoming.url}`, init));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    } catch (error) {
      errors.push(error);
      outgoing.writeHead(500).end();
    }
  };
  return serve(listener, errors);
}

async function serve(listener: RequestListener, errors: readonly unknown[]): Promise<Mounted> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, port: (server.address() as AddressInfo).port, errors };
}

function mountHono(options: WebhookReceiverOptions): Promise<Mounted> {
  const receive = partnerWebhooksFetch(options);
  const app = new Hono();
  app.post('/webhooks', (context) => receive(context.req.raw));
  app.onError((error) => {
    throw error;
  });
  return mountFetch(app.fetch);
}

/** The exports of a Next route. */
function mountNext(options: WebhookReceiverOptions): Promise<Mounted> {
  const POST = partnerWebhooksFetch(options);
  return mountFetch(POST);
}

/** All frameworks with a receiver. */
export const FRAMEWORKS: Readonly<Record<string, Mount>> = {
  [EXPRESS]: (options) => mountExpress(options),
  Fastify: (options) => mountFastify(options),
  Hono: mountHono,
  Next: mountNext,
};
