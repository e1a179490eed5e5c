import { once } from 'node:events';
import {
  Controller,
  Get,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Scope,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Operator, PartnerHiring, Worker } from '@partner-hiring/core';
import { createHandlerUnderTest } from '@partner-hiring/test-support/servers/handler';
import {
  createNestApp,
  type FakePartnerHiring,
  fakePartnerHiring,
  listenOn,
  PLATFORMS,
  rootModule,
} from '@partner-hiring/test-support/servers/nest-server';
import { describe, expect, it } from 'vitest';
import {
  InjectOperator,
  InjectPartnerHiring,
  InjectWorker,
  PARTNER_HIRING,
  PARTNER_HIRING_OPERATOR,
  PARTNER_HIRING_WORKER,
  PartnerHiringHealth,
  PartnerHiringModule,
} from './index.js';

const BASE = '/api/v1/external';
const QUIET = { logger: false, abortOnError: false } as const;
const fake = () => fakePartnerHiring(createHandlerUnderTest());

/** A module of the host with a database pool that closes as most modules of Nest do. */
function databaseModule(calls: string[]) {
  @Injectable()
  class Pool implements OnApplicationBootstrap, OnApplicationShutdown {
    onApplicationBootstrap() {
      calls.push('pool is open');
    }
    onApplicationShutdown() {
      calls.push('pool is closed');
    }
  }
  @Module({ providers: [Pool], exports: [Pool] })
  class DatabaseModule {}
  return { Pool, DatabaseModule };
}

describe.each(PLATFORMS)('on %s', (platform, createAdapter) => {
  it('starts the worker once the application has started, and not before', async () => {
    const partnerHiring = fake();
    const app = await createNestApp(
      rootModule({ imports: [PartnerHiringModule.forRoot({ partnerHiring })] }),
      createAdapter(),
    );
    expect(partnerHiring.calls).toEqual([]);
    await app.init();
    expect(partnerHiring.calls).toEqual(['worker.start']);
  });

  it('starts no worker with `startWorker: false`', async () => {
    const partnerHiring = fake();
    const imports = [PartnerHiringModule.forRoot({ partnerHiring, startWorker: false })];
    await (await createNestApp(rootModule({ imports }), createAdapter())).init();
    expect(partnerHiring.calls).toEqual([]);
  });

  it('closes after the HTTP server, and before the pool that the factory was given', async () => {
    const partnerHiring = fake();
    const { calls } = partnerHiring;
    const { Pool, DatabaseModule } = databaseModule(calls);
    let finish = () => {};
    @Controller('slow')
    class SlowController {
      @Get()
      async get() {
        calls.push('request');
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        calls.push('reply');
      }
    }
    const imports = [
      PartnerHiringModule.forRootAsync({
        imports: [DatabaseModule],
        inject: [Pool],
        useFactory: async (pool: InstanceType<typeof Pool>) => {
          expect(pool).toBeInstanceOf(Pool);
          return partnerHiring;
        },
      }),
    ];
    const root = rootModule({ imports, controllers: [SlowController] });
    const app = await createNestApp(root, platform === 'Fastify' ? new FastifyAdapter() : createAdapter());
    const origin = `http://127.0.0.1:${await listenOn(app)}`;
    const server = app.getHttpServer();
    const isArrived = once(server, 'request');
    const replied = fetch(`${origin}/slow`, { headers: { connection: 'close' } });
    await isArrived;
    await expect.poll(() => calls).toContain('request');
    const closed = app.close().then(() => calls.push('closed'));
    await expect.poll(() => server.listening).toBe(false);
    finish();
    expect((await replied).status).toBe(200);
    await closed;
    expect(calls).toEqual([
      'pool is open',
      'worker.start',
      'request',
      'reply',
      'close',
      'pool is closed',
      'closed',
    ]);
  });

  it('rejects the start of the application when the factory rejects', async () => {
    const imports = [
      PartnerHiringModule.forRootAsync({
        useFactory: () => Promise.reject(new Error('The database is down.')),
      }),
    ];
    await expect(NestFactory.create(rootModule({ imports }), createAdapter(), QUIET)).rejects.toThrow(
      'The database is down.',
    );
  });

  it('refuses a request-scoped provider, for which Nest would call no hook', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {}
    @Module({ providers: [Tenant], exports: [Tenant] })
    class TenantModule {}
    const useFactory = () => fake() as PartnerHiring<unknown>;
    const imports = [
      PartnerHiringModule.forRootAsync({ imports: [TenantModule], inject: [Tenant], useFactory }),
    ];
    const app = await NestFactory.create(rootModule({ imports }), createAdapter(), QUIET);
    await expect(app.init()).rejects.toMatchObject({
      code: 'MISCONFIGURED',
      message: expect.stringContaining('Inject only singletons'),
    });
  });
});

describe('an application without an HTTP server', () => {
  it('runs the worker, mounts nothing, and closes once', async () => {
    const partnerHiring = fake();
    const imports = [PartnerHiringModule.forRoot({ partnerHiring })];
    const context = await NestFactory.createApplicationContext(rootModule({ imports }), QUIET);
    expect(partnerHiring.calls).toEqual(['worker.start']);
    await Promise.all([context.close(), context.close()]);
    expect(partnerHiring.calls).toEqual(['worker.start', 'close']);
  });
});

describe('injection', () => {
  it('gives every module the operator, the worker and the partner API', async () => {
    @Injectable()
    class Hiring {
      constructor(
        @InjectPartnerHiring() readonly partnerHiring: PartnerHiring<unknown>,
        @InjectOperator() readonly operator: Operator<unknown>,
        @InjectWorker() readonly worker: Worker,
      ) {}
    }
    @Module({ providers: [Hiring] })
    class FeatureModule {}
    const operator = {} as Operator<unknown>;
    const partnerHiring: FakePartnerHiring = fakePartnerHiring(createHandlerUnderTest(), { operator });
    const imports = [PartnerHiringModule.forRoot({ partnerHiring }), FeatureModule];
    const context = await NestFactory.createApplicationContext(rootModule({ imports }), QUIET);
    const hiring = context.get(Hiring);
    expect(hiring.partnerHiring).toBe(partnerHiring);
    expect(hiring.operator).toBe(operator);
    expect(hiring.worker).toBe(partnerHiring.worker);
    expect(context.get(PARTNER_HIRING)).toBe(partnerHiring);
    expect(context.get(PARTNER_HIRING_OPERATOR)).toBe(operator);
    expect(context.get(PARTNER_HIRING_WORKER)).toBe(partnerHiring.worker);
    expect(context.get(PartnerHiringHealth)).toBeInstanceOf(PartnerHiringHealth);
    await context.close();
  });
});

describe('options', () => {
  const { forRoot, forRootAsync } = PartnerHiringModule;

  it.each([
    [() => forRoot({ partnerHiring: fake(), path: '/x' } as never), 'does not have the option `path`'],
    [() => forRoot(undefined as never), 'needs options. It takes `partnerHiring`, `mount`, `startWorker`'],
    [() => forRoot({} as never), 'needs the result of createPartnerHiring'],
    [() => forRoot({ partnerHiring: Promise.resolve(fake()) } as never), 'forRootAsync({ useFactory })'],
    [
      () => forRoot({ partnerHiring: fake(), mount: 'no' } as never),
      '`mount` of PartnerHiringModule.forRoot',
    ],
    [() => forRootAsync({ useFactory: fake, useClass: 1 } as never), 'does not have the option `useClass`'],
    [() => forRootAsync({} as never), '`useFactory` of PartnerHiringModule.forRootAsync must be a function'],
    [() => forRootAsync({ useFactory: fake, startWorker: 0 } as never), '`startWorker` of'],
  ])('refuses mistakes when the module is imported: %#', (configure, message) => {
    const misconfigured = { code: 'MISCONFIGURED', message: expect.stringContaining(message) };
    expect(configure).toThrow(expect.objectContaining(misconfigured));
  });

  it('refuses a factory that returns something else', async () => {
    const imports = [PartnerHiringModule.forRootAsync({ useFactory: () => ({ handler: 1 }) as never })];
    await expect(NestFactory.createApplicationContext(rootModule({ imports }), QUIET)).rejects.toThrow(
      '`useFactory` of PartnerHiringModule.forRootAsync needs the result of createPartnerHiring',
    );
  });
});

it('serves the API until the server is closed', async () => {
  const partnerHiring = fake();
  const imports = [PartnerHiringModule.forRoot({ partnerHiring })];
  const [[, createAdapter]] = PLATFORMS as [(typeof PLATFORMS)[number]];
  const app = await createNestApp(rootModule({ imports }), createAdapter());
  const origin = `http://127.0.0.1:${await listenOn(app)}`;
  expect((await fetch(`${origin}${BASE}/jobs`)).status).toBe(200);
  await app.close();
  await expect(fetch(`${origin}${BASE}/jobs`)).rejects.toThrow();
});
