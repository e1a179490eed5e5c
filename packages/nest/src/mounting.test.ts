import {
  All,
  Body,
  Controller,
  type DynamicModule,
  type MiddlewareConsumer,
  Module,
  Post,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { fingerprintOf } from '@partner-hiring/test-support/client/fake-partner-api';
import { serveBehindPlatform } from '@partner-hiring/test-support/servers/body-reading-platform';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import {
  createNestApp,
  fakePartnerHiring,
  listenOn,
  PLATFORMS,
  rootModule,
} from '@partner-hiring/test-support/servers/nest-server';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PartnerHiringModule } from './index.js';

const BASE = '/api/v1/external';
const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const JSON_TYPE = { 'content-type': 'application/json' };

@Controller('echo')
class EchoController {
  @Post()
  echo(@Body() got: unknown) {
    return { got };
  }
}

@Controller()
class WildcardController {
  @All('*')
  all() {
    return 'wildcard';
  }
}

describe.each(PLATFORMS)('on %s', (platform, createAdapter) => {
  const create = (parts: Omit<DynamicModule, 'module'> = {}, maxBodyBytes = 1_000_000) => {
    const underTest = createHandlerUnderTest({}, { maxBodyBytes });
    const imports = [PartnerHiringModule.forRoot({ partnerHiring: fakePartnerHiring(underTest) })];
    const root = rootModule({
      controllers: [EchoController],
      ...parts,
      imports: [...imports, ...(parts.imports ?? [])],
    });
    return { ...underTest, root };
  };

  it('serves the API without a line in main.ts, and leaves other paths to Nest', async () => {
    const { root } = create();
    const app = await createNestApp(root, createAdapter());
    const origin = `http://127.0.0.1:${await listenOn(app)}`;
    const found = await fetch(`${origin}${BASE}/applications/ej_app_1`);
    expect([found.status, await found.json()]).toMatchObject([200, { id: 'ej_app_1' }]);
    const missing = await fetch(`${origin}${BASE}/nothing`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: 'NOT_FOUND' }]);
    const elsewhere = await fetch(`${origin}/elsewhere`);
    expect(await elsewhere.json()).toMatchObject({ message: 'Cannot GET /elsewhere', statusCode: 404 });
    expect((await fetch(`${origin}${BASE}x/jobs`)).status).toBe(404);
    expect(elsewhere.headers.get('x-request-id')).toBeNull();
  });

  it('serves the API in a testing module, whose HTTP adapter comes after the providers', async () => {
    const { root, asked } = create();
    const testing = await Test.createTestingModule({ imports: [root] }).compile();
    const app = testing.createNestApplication(createAdapter(), { logger: false });
    onTestFinished(() => app.close());
    const origin = `http://127.0.0.1:${await listenOn(app)}`;
    const headers = { ...JSON_TYPE, 'idempotency-key': UUID };
    const body = '{ "a":1 }';
    expect((await fetch(`${origin}${BASE}/applications`, { method: 'POST', headers, body })).status).toBe(
      201,
    );
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(body));
  });

  it.each([
    ['as Nest sets them up', {}],
    ['with raw bodies', { rawBody: true }],
  ])('reads the exact bytes and keeps the body parsers %s', async (_, options) => {
    const { root, asked } = create();
    const app = await createNestApp(root, createAdapter(), options);
    const origin = `http://127.0.0.1:${await listenOn(app)}`;
    const post = (path: string, body: string, headers = {}) =>
      fetch(origin + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });
    // Larger than the default limits of Express's parser.
    const body = `{"a":"${'x'.repeat(200_000)}"}`;
    expect((await post(`${BASE}/applications`, body, { 'idempotency-key': UUID })).status).toBe(201);
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(body));
    expect(await (await post('/echo', '{"a":1}')).json()).toEqual({ got: { a: 1 } });
    expect((await post('/echo', '{"a"')).status).toBe(400);
    const form = await post('/echo', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(await form.json()).toEqual({ got: { a: '1' } });
  });

  it('takes the exact bytes from `rawBody` behind a platform that has read the body', async () => {
    const { root, asked } = create();
    const app = await createNestApp(root, createAdapter());
    await listenOn(app);
    const origin = await serveBehindPlatform((...call) => void app.getHttpServer().emit('request', ...call));
    const headers = { ...JSON_TYPE, 'idempotency-key': UUID };
    const posted = { method: 'POST', headers, body: '{ "a": "é" }' };
    expect((await fetch(`${origin}${BASE}/applications`, posted)).status).toBe(201);
    expect(asked.submissions[0]?.fingerprint).toBe(fingerprintOf(posted.body));
  });

  it('keeps its base path when the application has a global prefix', async () => {
    const { root } = create();
    const app = (await createNestApp(root, createAdapter())).setGlobalPrefix('v9');
    const origin = `http://127.0.0.1:${await listenOn(app)}`;
    expect((await fetch(`${origin}${BASE}/jobs`)).status).toBe(200);
    expect((await fetch(`${origin}/v9${BASE}/jobs`)).status).toBe(404);
    expect((await fetch(`${origin}/v9/echo`, { method: 'POST' })).status).toBe(201);
    expect((await fetch(`${origin}/echo`, { method: 'POST' })).status).toBe(404);
  });

  it('comes before a controller that serves every path', async () => {
    const { root } = create({ controllers: [WildcardController] });
    const origin = `http://127.0.0.1:${await listenOn(await createNestApp(root, createAdapter()))}`;
    expect(await (await fetch(`${origin}${BASE}/jobs`)).json()).toMatchObject({ data: [{ id: 'job_1' }] });
    expect(await (await fetch(`${origin}/anything`)).text()).toBe('wildcard');
  });

  it.each([
    [false, '127.0.0.1'],
    [true, '203.0.113.9'],
  ])('passes the address of the client, with trust in the proxy: %s', async (trusted, address) => {
    const { root, asked } = create();
    const adapter = platform === 'Fastify' ? new FastifyAdapter({ trustProxy: trusted }) : createAdapter();
    const app = await createNestApp(root, adapter);
    if (platform === 'Express') app.getHttpAdapter().getInstance().set('trust proxy', trusted);
    const origin = `http://127.0.0.1:${await listenOn(app)}`;
    await fetch(`${origin}${BASE}/jobs`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(asked.admissions[0]?.clientAddress).toBe(address);
  });

  it('mounts nothing with `mount: false`', async () => {
    const partnerHiring = fakePartnerHiring(createHandlerUnderTest());
    const root = rootModule({ imports: [PartnerHiringModule.forRoot({ partnerHiring, mount: false })] });
    const origin = `http://127.0.0.1:${await listenOn(await createNestApp(root, createAdapter()))}`;
    expect(await (await fetch(`${origin}${BASE}/jobs`)).json()).toMatchObject({
      message: `Cannot GET ${BASE}/jobs`,
    });
  });

  it('runs Nest middleware before the API on Fastify, and never on Express', async () => {
    const seen: string[] = [];
    @Module({})
    class WithMiddleware {
      configure(consumer: MiddlewareConsumer) {
        const note = (request: { originalUrl: string }, _: unknown, next: () => void) => {
          seen.push(request.originalUrl);
          next();
        };
        consumer.apply(note).forRoutes('*path');
      }
    }
    const { root } = create({ imports: [WithMiddleware] });
    const origin = `http://127.0.0.1:${await listenOn(await createNestApp(root, createAdapter()))}`;
    expect((await fetch(`${origin}${BASE}/jobs`)).status).toBe(200);
    expect((await fetch(`${origin}/echo`, { method: 'POST' })).status).toBe(201);
    expect(seen).toEqual(platform === 'Fastify' ? [`${BASE}/jobs`, '/echo'] : ['/echo']);
  });
});

describe('names the fix', () => {
  async function initOn(adapter: AbstractHttpAdapter): Promise<unknown> {
    const partnerHiring = fakePartnerHiring(createHandlerUnderTest());
    const root = rootModule({ imports: [PartnerHiringModule.forRoot({ partnerHiring })] });
    return (await createNestApp(root, adapter)).init();
  }

  it('on another platform', async () => {
    const adapter = Object.assign(new ExpressAdapter(), { getType: (): string => 'koa' });
    await expect(initOn(adapter)).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('Express and Fastify, but this application runs on "koa"'),
    });
  });

  it('on Fastify 4', async () => {
    const adapter = new FastifyAdapter();
    const older = Object.create(adapter.getInstance(), { version: { value: '4.29.1' } });
    Object.assign(adapter, { getInstance: () => older });
    await expect(initOn(adapter)).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringMatching(
        /needs Fastify 5, .* runs on Fastify 4\.29\.1\. Use @nestjs\/platform-fastify 11/,
      ),
    });
  });

  it('behind a body parser of the application that Nest was given', async () => {
    const application = express().use(express.json());
    await expect(initOn(new ExpressAdapter(application))).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('behind the body parser express.json()'),
    });
    const partnerHiring = fakePartnerHiring(createHandlerUnderTest());
    const imports = [PartnerHiringModule.forRoot({ partnerHiring })];
    const testing = await Test.createTestingModule({ imports }).compile();
    const app = testing.createNestApplication(new ExpressAdapter(application), { logger: false });
    await expect(app.init()).rejects.toMatchObject({ code: 'MISCONFIGURED' });
    await app.close();
  });
});
