/** The console in each framework, over a real connection. */
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get } from '@nestjs/common';
import type { Console } from '@partner-hiring/console';
import { serveFetch } from '@partner-hiring/test-support/servers/fetch-server';
import {
  createNestApp,
  listenOn,
  PLATFORMS,
  rootModule,
} from '@partner-hiring/test-support/servers/nest-server';
import express from 'express';
import express4 from 'express4';
import Fastify, { type FastifyInstance } from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../conformance/listen.js';
import { openPlatform, type Platform, visit } from './platform.js';

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform.close());

/** Serves the console beside a route of the host at `/own`. Resolves with the port. */
type Mount = (mounted: Console) => Promise<number>;

async function serve(listener: RequestListener): Promise<number> {
  const { port, close } = await listen(listener);
  onTestFinished(close);
  return port;
}

async function serveFastify(app: FastifyInstance): Promise<number> {
  onTestFinished(() => app.close());
  app.get('/own', async () => 'own');
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

@Controller()
class OwnController {
  @Get('own')
  own(): string {
    return 'own';
  }
}

const MOUNTS: readonly (readonly [string, Mount])[] = [
  ...(
    [
      ['Express 5', express],
      ['Express 4', express4],
    ] as const
  ).flatMap(([name, create]) => {
    const own = (app: ReturnType<typeof create>) =>
      app.get('/own', (_request, response) => void response.send('own'));
    return [
      [name, (mounted: Console) => serve(own(create().use(mounted.node)))],
      [
        `${name} behind body parsers`,
        (mounted: Console) =>
          serve(own(create().use(create.urlencoded({ extended: true }), create.json(), mounted.node))),
      ],
      [`${name} with a path`, (mounted: Console) => serve(own(create().use('/console', mounted.node)))],
    ] as const;
  }),
  [
    'Fastify',
    async (mounted) => {
      const app = Fastify({ forceCloseConnections: true });
      await app.register(mounted.fastify);
      return serveFastify(app);
    },
  ],
  [
    'Fastify with its own parser of forms',
    async (mounted) => {
      const app = Fastify({ forceCloseConnections: true });
      app.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string' },
        (_request, _body, done) => done(new Error('The host parses its forms itself.')),
      );
      await app.register(mounted.fastify);
      return serveFastify(app);
    },
  ],
  ...PLATFORMS.map(([name, createAdapter]): readonly [string, Mount] => [
    `Nest on ${name}`,
    async (mounted) => {
      const app = await createNestApp(rootModule({ controllers: [OwnController] }), createAdapter());
      app.use(mounted.node);
      return listenOn(app);
    },
  ]),
  [
    'Hono',
    (mounted) => {
      const app = new Hono();
      app.get('/own', (context) => context.text('own'));
      app.all('/console/*', (context) => mounted.fetch(context.req.raw));
      return serve((request, response) => serveFetch(async (web) => app.fetch(web), request, response));
    },
  ],
  [
    'a server of web requests',
    (mounted) =>
      serve((request, response) =>
        serveFetch(
          async (web) => (new URL(web.url).pathname === '/own' ? new Response('own') : mounted.fetch(web)),
          request,
          response,
        ),
      ),
  ],
  [
    'Node’s own server',
    (mounted) =>
      serve((request, response) => mounted.node(request, response, () => void response.end('own'))),
  ],
];

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.each(MOUNTS)('%s', (_, mount) => {
  it('serves pages, forms and files, and leaves the rest to the host', async () => {
    const { alan, fixture } = platform;
    const visitor = visit(fixture);
    const origin = `http://127.0.0.1:${await mount(visitor.console)}`;
    const post = (path: string, body: string, headers: Readonly<Record<string, string>>) =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        body,
        headers: { ...FORM, ...headers },
        redirect: 'manual',
      });

    const page = await fetch(`${origin}/console`);
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain('<h1>Overview</h1>');
    const [, style = ''] = /href="(\/console\/assets\/[^"]+)"/.exec(text) ?? [];
    expect((await fetch(`${origin}${style}`)).headers.get('content-type')).toContain('text/css');

    const same = { 'sec-fetch-site': 'same-origin' };
    const moved = await post(
      `/console/applications/${alan}/move`,
      'stage=under_review&reason=t%C3%A9st',
      same,
    );
    expect([moved.status, moved.headers.get('location')]).toEqual([303, `/console/applications/${alan}`]);
    expect(moved.headers.getSetCookie()).toEqual([expect.stringContaining('HttpOnly')]);
    const { entries } = await fixture.operator.audit.list({
      object: { kind: 'application', id: alan },
      limit: 1,
    });
    expect(entries[0]?.actor).toMatchObject({ reason: 'tést' });
    await fixture.operator.applications.moveStage({ id: alan, stage: 'final_review' });

    expect((await post(`/console/applications/${alan}/move`, 'stage=under_review', {})).status).toBe(403);
    expect((await fetch(`${origin}/own`)).status).toBe(200);
    expect(await (await fetch(`${origin}/own`)).text()).toBe('own');
    expect((await fetch(`${origin}/console`, { method: 'HEAD' })).status).toBe(200);
    visitor.become(null);
    expect((await fetch(`${origin}/console/applications`)).status).toBe(404);
  });
});

it('Node’s own server answers 404 outside of the console, and 405 to other methods', async () => {
  const { node } = visit(platform.fixture).console;
  const origin = `http://127.0.0.1:${await serve((request, response) => node(request, response))}`;
  expect((await fetch(`${origin}/consoles`)).status).toBe(404);
  expect((await fetch(`${origin}/console`, { method: 'DELETE' })).status).toBe(405);
});

it('gives the actor hook the request of the framework', async () => {
  const hosts: unknown[] = [];
  const { console: opened } = visit(platform.fixture, {
    actor: (_request, host) => {
      hosts.push(host);
      return null;
    },
  });
  const app = express().use((request, _response, next) => {
    Object.assign(request, { user: { id: 'user_42' } });
    next();
  }, opened.node);
  const origin = `http://127.0.0.1:${await serve(app)}`;
  expect((await fetch(`${origin}/console`)).status).toBe(404);
  expect(hosts).toMatchObject([{ user: { id: 'user_42' } }]);
});

it('refuses a form that is too large', async () => {
  const { node } = visit(platform.fixture).console;
  const origin = `http://127.0.0.1:${await serve((request, response) => node(request, response))}`;
  const headers = { ...FORM, 'sec-fetch-site': 'same-origin' };
  const body = `q=${'x'.repeat(300 * 1024)}`;
  expect((await fetch(`${origin}/console/applications`, { method: 'POST', headers, body })).status).toBe(413);
});

it('Fastify under a prefix names the fix', async () => {
  const { fastify } = visit(platform.fixture).console;
  const app = Fastify();
  const register = async () => {
    await app.register(fastify, { prefix: '/admin' });
  };
  await expect(register()).rejects.toThrow('set its option `path` to "/admin/console"');
});
