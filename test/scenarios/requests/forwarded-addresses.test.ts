/** Azure and some gateways add the client's port to `X-Forwarded-For`. It changes with each connection. */
import type { AddressInfo } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createFetchHandler, type Handler } from '@partner-hiring/core';
import { partnerHiringExpress } from '@partner-hiring/express';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { PartnerHiringModule } from '@partner-hiring/nest';
import { perTest } from '@partner-hiring/test-support/per-test';
import { listen } from '@partner-hiring/test-support/servers/express-server';
import { serveFetch } from '@partner-hiring/test-support/servers/fetch-server';
import {
  createNestApp,
  fakePartnerHiring,
  listenOn,
  PLATFORMS,
  rootModule,
} from '@partner-hiring/test-support/servers/nest-server';
import express from 'express';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { createFloodBounds } from '../../../packages/core/src/features/request-log/floods.js';
import { openRequestStage } from './stage.js';

const FORWARDED = 'x-forwarded-for';

const stage = perTest(
  () => openRequestStage({ limits: { failed_authentication: 2 } }),
  (opened) => opened.close(),
);

type Serve = (handler: Handler) => Promise<number>;

const onNest = PLATFORMS.map(([name, createAdapter]): readonly [string, Serve] => [
  `Nest on ${name}`,
  async (handler) => {
    const imports = [PartnerHiringModule.forRoot({ partnerHiring: fakePartnerHiring({ handler }) })];
    const adapter = name === 'Fastify' ? new FastifyAdapter({ trustProxy: true }) : createAdapter();
    const app = await createNestApp(rootModule({ imports }), adapter);
    if (name === 'Express') app.getHttpAdapter().getInstance().set('trust proxy', true);
    return listenOn(app);
  },
]);

const MOUNTS: readonly (readonly [string, Serve])[] = [
  ['Express', (handler) => listen(express().set('trust proxy', true).use(partnerHiringExpress({ handler })))],
  [
    'Fastify',
    async (handler) => {
      const app = Fastify({ trustProxy: true });
      onTestFinished(() => app.close());
      await app.register(partnerHiringFastify({ handler }));
      await app.listen({ host: '127.0.0.1', port: 0 });
      return (app.server.address() as AddressInfo).port;
    },
  ],
  ...onNest,
  [
    'a server with Request and Response, such as Next',
    async (handler) => {
      const clientAddress = ({ headers }: Request) => headers.get(FORWARDED) ?? '';
      const serve = createFetchHandler(handler, { clientAddress });
      const app = express().use((request, response) => void serveFetch(serve, request, response));
      return listen(app);
    },
  ],
];

it('tells clients apart in the request log, however many ports one of them has used', () => {
  const bounds = createFloodBounds<object>();
  const clientOf = (clientAddress: string) => {
    const counted = bounds.count({ keyId: null, clientAddress, code: 'UNAUTHORIZED', at: 0 });
    if (!counted.hasRow) counted.bucket.flood = {};
    return counted.bucket.client;
  };
  for (let port = 1; port <= 1_000; port += 1) clientOf(`203.0.113.7:${port}`);
  expect(clientOf('203.0.113.8:1')).toBe('203.0.113.8');
});

it.each(MOUNTS)('%s counts a client once, whatever port a proxy adds', async (_, serve) => {
  const { handler } = stage.fixture.partnerHiring;
  const url = `http://127.0.0.1:${await serve(handler)}${handler.basePath}/jobs`;
  const ask = async (address: string) => (await fetch(url, { headers: { [FORWARDED]: address } })).status;
  const statuses = [];
  for (const port of [1025, 1026, 1027, 65_535]) statuses.push(await ask(`203.0.113.7:${port}`));
  expect(statuses).toEqual([401, 401, 429, 429]);
  expect(await ask('203.0.113.8:1025')).toBe(401);
  for (const host of [1, 2]) expect(await ask(`[2001:db8:0:7::${host}]:102${host}`)).toBe(401);
  expect(await ask('2001:db8:0:7::3')).toBe(429);
  expect(await ask('[2001:db8:0:8::1]:1025')).toBe(401);
  const { items: requests } = await stage.fixture.operator.requests.list({ limit: 100 });
  expect(requests).toHaveLength(9);
  expect(new Set(requests.map(({ client }) => client)).size).toBe(4);
});
