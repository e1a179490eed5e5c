import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Served } from '@partner-hiring/conformance';
import type { Console } from '@partner-hiring/console';
import { EXPRESS } from '@partner-hiring/test-support/servers/express-name';
import { serveFetch } from '@partner-hiring/test-support/servers/fetch-server';
import { PLATFORMS, rootModule } from '@partner-hiring/test-support/servers/nest-server';
import express from 'express';
import Fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { listen } from '../conformance/listen.js';

/** Serves the console, or other pages under a path, beside a route of the host at `/own`. */
export type Mount = (mounted: Console, path?: string) => Promise<Served>;

const serve = (listener: RequestListener) => listen(listener);

async function serveFastify(app: FastifyInstance): Promise<Served> {
  app.get('/own', async () => 'own');
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
}

@Controller()
class HostController {
  @Get('own')
  own(): string {
    return 'own';
  }
}

function inExpress(name: string, create: typeof express): Readonly<Record<string, Mount>> {
  const own = (app: ReturnType<typeof create>) =>
    app.get('/own', (_request, response) => void response.send('own'));
  const parsers = () => [create.urlencoded({ extended: true }), create.json()] as const;
  return {
    [name]: (mounted) => serve(own(create().use(mounted.node))),
    [`${name} behind body parsers`]: (mounted) => serve(own(create().use(...parsers(), mounted.node))),
    [`${name} with a path`]: (mounted, path = '/console') => serve(own(create().use(path, mounted.node))),
  };
}

const IN_FASTIFY: Readonly<Record<string, Mount>> = {
  Fastify: async (mounted) => {
    const app = Fastify({ forceCloseConnections: true });
    await app.register(mounted.fastify);
    return serveFastify(app);
  },
  'Fastify with its own parser of forms': async (mounted) => {
    const app = Fastify({ forceCloseConnections: true });
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, _body, done) => done(new Error('The host parses its forms itself.')),
    );
    await app.register(mounted.fastify);
    return serveFastify(app);
  },
};

const IN_NEST: Readonly<Record<string, Mount>> = Object.fromEntries(
  PLATFORMS.map(([name, createAdapter]): readonly [string, Mount] => [
    `Nest on ${name}`,
    async (mounted) => {
      const root = rootModule({ controllers: [HostController] });
      const app = await NestFactory.create(root, createAdapter(), { logger: false, abortOnError: false });
      app.use(mounted.node);
      await app.listen(0, '127.0.0.1');
      return { port: (app.getHttpServer().address() as AddressInfo).port, close: () => app.close() };
    },
  ]),
);

/** Every way to mount the console, by its name. */
export const MOUNTS: Readonly<Record<string, Mount>> = {
  ...inExpress(EXPRESS, express),
  ...IN_FASTIFY,
  ...IN_NEST,
  Hono: (mounted, path = '/console') => {
    const app = new Hono();
    app.get('/own', (context) => context.text('own'));
    app.all(`${path}/*`, (context) => mounted.fetch(context.req.raw));
    return serve((request, response) => serveFetch(async (web) => app.fetch(web), request, response));
  },
  'a server of web requests': (mounted) =>
    serve((request, response) =>
      serveFetch(
        async (web) => (new URL(web.url).pathname === '/own' ? new Response('own') : mounted.fetch(web)),
        request,
        response,
      ),
    ),
  'Node’s own server': (mounted) =>
    serve((request, response) => mounted.node(request, response, () => void response.end('own'))),
};
