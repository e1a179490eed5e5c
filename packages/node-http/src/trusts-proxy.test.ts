import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { trustsProxy } from './trusts-proxy.js';

const FORWARDED = { 'x-forwarded-for': '203.0.113.9' };

async function askExpress(
  trusted: unknown,
  headers: Record<string, string>,
  mountAt = '/',
): Promise<boolean> {
  const inner = express();
  inner.get('/', (request, response) => void response.json(trustsProxy(request)));
  const outer = express().set('trust proxy', trusted).use(mountAt, inner);
  const server = createServer(outer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}${mountAt}`, { headers })).json() as Promise<boolean>;
}

async function askFastify(trustProxy: boolean | string, headers: Record<string, string>) {
  const app = Fastify({ trustProxy });
  app.get('/', async (request) => trustsProxy(request));
  return (await app.inject({ url: '/', headers })).json() as boolean;
}

it.each([
  [false, false],
  ['10.0.0.0/8', false],
  [true, true],
  [1, true],
  ['loopback', true],
  ['127.0.0.1', true],
])('trusts the proxy as Express does with `trust proxy` %j: %s', async (trusted, trusts) => {
  for (const headers of [{}, FORWARDED, { 'x-forwarded-for': '127.0.0.1' }]) {
    expect(await askExpress(trusted, headers)).toBe(trusts);
    expect(await askExpress(trusted, headers, '/below')).toBe(trusts);
  }
});

it.each([
  [false, false],
  ['10.0.0.0/8', false],
  [true, true],
  ['127.0.0.1', true],
])(
  'trusts the proxy as Fastify does with `trustProxy` %j, if it names its client: %s',
  async (given, trusts) => {
    expect(await askFastify(given, FORWARDED)).toBe(trusts);
    expect(await askFastify(given, { 'x-forwarded-for': '127.0.0.1' })).toBe(trusts);
    expect(await askFastify(given, {})).toBe(false);
  },
);

it.each([
  undefined,
  null,
  'text',
  {},
  { ips: [] },
  { ips: ['127.0.0.1'] },
  { app: {} },
  { app: { settings: {} } },
])('trusts no proxy of another server: %j', (request) => {
  expect(trustsProxy(request)).toBe(false);
});
