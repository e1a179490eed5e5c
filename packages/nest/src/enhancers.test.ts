/**
 * The application's guards, pipes, interceptors, filters, versions and CORS apply to its own routes, and not to the
 * partner API.
 */
import {
  type ArgumentsHost,
  BadRequestException,
  Body,
  Controller,
  Get,
  type INestApplication,
  Post,
  Version,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import {
  createNestApp,
  fakePartnerHiring,
  listenOn,
  PLATFORMS,
  rootModule,
} from '@partner-hiring/test-support/servers/nest-server';
import { map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { PartnerHiringModule } from './index.js';

const BASE = '/api/v1/external';
const UUID = '9c6f3f0e-6c0e-4f5a-9d53-0a4b8f2f7a10';
const SUBMISSION = {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': UUID },
  body: '{}',
};

@Controller('mine')
class MyController {
  @Get()
  get() {
    return { mine: true };
  }

  @Post()
  post(@Body() body: unknown) {
    return body;
  }

  @Get('versioned')
  @Version('2')
  versioned() {
    return { version: 2 };
  }
}

const refuse = { canActivate: () => false };
const wrap = {
  intercept: (_: unknown, next: { handle(): Observable<unknown> }) =>
    next.handle().pipe(map((wrapped) => ({ wrapped }))),
};
const reject = {
  transform: () => {
    throw new BadRequestException('theirs');
  },
};
interface NativeReply {
  status(status: number): { send(body: unknown): void };
}
const teapot = {
  catch: (_: unknown, host: ArgumentsHost) =>
    host.switchToHttp().getResponse<NativeReply>().status(418).send({ theirs: true }),
};

describe.each(PLATFORMS)('on %s', (platform, createAdapter) => {
  async function start(
    prepare: (app: INestApplication) => void,
    providers: { provide: string; useValue: object }[] = [],
  ) {
    const partnerHiring = fakePartnerHiring(createHandlerUnderTest());
    const imports = [PartnerHiringModule.forRoot({ partnerHiring })];
    const root = rootModule({ imports, controllers: [MyController], providers });
    const app = await createNestApp(root, createAdapter());
    prepare(app);
    const origin = `http://127.0.0.1:${await listenOn(app)}`;
    return (path: string, init: RequestInit = {}) => fetch(origin + path, init);
  }

  async function expectApi(send: (path: string, init?: RequestInit) => Promise<Response>): Promise<void> {
    const jobs = await send(`${BASE}/jobs`);
    expect([jobs.status, await jobs.json()]).toMatchObject([200, { data: [{ id: 'job_1' }] }]);
    const submitted = await send(`${BASE}/applications`, SUBMISSION);
    expect([submitted.status, await submitted.text()]).toEqual([201, '{"id":"ej_app_1"}']);
    const missing = await send(`${BASE}/nothing`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: 'NOT_FOUND' }]);
  }

  it.each<[string, (app: INestApplication) => void, { provide: string; useValue: object }[]]>([
    ['guards of main.ts', (app) => app.useGlobalGuards(refuse), []],
    ['guards of a module', () => {}, [{ provide: APP_GUARD, useValue: refuse }]],
  ])('leaves %s to the application', async (_, prepare, providers) => {
    const send = await start(prepare, providers);
    await expectApi(send);
    expect((await send('/mine')).status).toBe(403);
  });

  it.each<[string, (app: INestApplication) => void, { provide: string; useValue: object }[]]>([
    ['interceptors of main.ts', (app) => app.useGlobalInterceptors(wrap), []],
    ['interceptors of a module', () => {}, [{ provide: APP_INTERCEPTOR, useValue: wrap }]],
  ])('leaves %s to the application', async (_, prepare, providers) => {
    const send = await start(prepare, providers);
    await expectApi(send);
    expect(await (await send('/mine')).json()).toEqual({ wrapped: { mine: true } });
  });

  it.each<[string, (app: INestApplication) => void, { provide: string; useValue: object }[]]>([
    ['pipes of main.ts', (app) => app.useGlobalPipes(reject), []],
    ['pipes of a module', () => {}, [{ provide: APP_PIPE, useValue: reject }]],
  ])('leaves %s to the application', async (_, prepare, providers) => {
    const send = await start(prepare, providers);
    await expectApi(send);
    expect((await send('/mine', { method: 'POST' })).status).toBe(400);
  });

  it.each<[string, (app: INestApplication) => void, { provide: string; useValue: object }[]]>([
    ['filters of main.ts', (app) => app.useGlobalFilters(teapot), []],
    ['filters of a module', () => {}, [{ provide: APP_FILTER, useValue: teapot }]],
  ])('leaves %s to the application', async (_, prepare, providers) => {
    const send = await start(prepare, providers);
    await expectApi(send);
    const missing = await send('/nothing');
    expect([missing.status, await missing.json()]).toEqual([418, { theirs: true }]);
  });

  it.each([
    [{ type: VersioningType.URI } as const, '/v2/mine/versioned', {}],
    [{ type: VersioningType.HEADER, header: 'X-Version' } as const, '/mine/versioned', { 'x-version': '2' }],
    [{ type: VersioningType.MEDIA_TYPE, key: 'v=' } as const, '/mine/versioned', { accept: '*/*;v=2' }],
    [{ type: VersioningType.CUSTOM, extractor: () => '2' } as const, '/mine/versioned', {}],
  ])('leaves versioning to the application: %j', async (versioning, path, headers) => {
    const send = await start((app) => app.enableVersioning({ ...versioning, defaultVersion: '1' }));
    await expectApi(send);
    expect((await send(`${BASE}/jobs`, { headers: { 'x-version': '9', accept: '*/*;v=9' } })).status).toBe(
      200,
    );
    expect(await (await send(path, { headers })).json()).toEqual({ version: 2 });
  });

  it('leaves CORS to the application; on Fastify, its hook also runs for the API', async () => {
    const send = await start((app) => app.enableCors({ origin: 'https://my.example' }));
    await expectApi(send);
    const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');
    expect(allowed(await send('/mine'))).toBe('https://my.example');
    const headers = { origin: 'https://my.example', 'access-control-request-method': 'POST' };
    expect((await send('/mine', { method: 'OPTIONS', headers })).status).toBe(204);
    const isOnApi = platform === 'Fastify';
    expect(allowed(await send(`${BASE}/jobs`))).toBe(isOnApi ? 'https://my.example' : null);
    const preflight = await send(`${BASE}/jobs`, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(isOnApi ? 204 : 405);
  });
});
