/** Plays the page on hardening: servers with its settings disconnect slow clients. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express, { type Express } from 'express';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import {
  DEFAULT_BODY_TIMEOUT_MS,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_MAX_IN_FLIGHT_PER_KEY,
} from '../../packages/core/src/http/handler.js';
import { MAX_LARGE_PER_KEY } from '../../packages/core/src/http/large-bodies.js';
import { LARGE_BODY_BYTES } from '../../packages/core/src/http/parse-submission.js';
import { exported, partnerHiringOf } from './exported.js';
import { fencesOf, readPage } from './fences.js';
import { letIn } from './host.js';
import { tell } from './tell.js';

const PAGE = 'docs/hardening.md';
const PATH = '/api/v1/external';
const ENV = {
  PARTNER_HIRING_SEALING_KEY: Buffer.alloc(32, 'hardening').toString('base64'),
  ALLOW_PRIVATE_NETWORKS: 'yes',
};

/** The page's settings, at least 40 times as fast, in the same order. */
const FAST = {
  'headersTimeout: 10_000': 'headersTimeout: 200',
  'connectionsCheckingInterval: 5_000': 'connectionsCheckingInterval: 20',
  'requestTimeout: 45_000': 'requestTimeout: 900',
  'connectionTimeout: 60_000': 'connectionTimeout: 1_500',
  'server.timeout = 60_000': 'server.timeout = 1_500',
  "secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '',":
    "secretKey: process.env.PARTNER_HIRING_SEALING_KEY ?? '', bodyTimeoutMs: 400,",
  'port: 3000': 'port: 0',
  'listen(3000)': "listen(0, '127.0.0.1')",
};
const GIVEN_UP_MS = 10_000;
const MIB = 1024 ** 2;

/** Sends these bytes, then `drip` every 20 ms, until the server closes the connection. */
function sendSlowly(server: Server, bytes: string, drip: string): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now();
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1', () => void socket.write(bytes));
  const timer = setInterval(() => drip !== '' && socket.write(drip), 20);
  let answer = '';
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error(`The server keeps the connection: ${bytes}`));
      socket.destroy();
    }, GIVEN_UP_MS);
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      clearTimeout(late);
      const [, status = '0'] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
      resolve({ status: Number(status), ms: performance.now() - startedAt });
    });
  });
}

/** Expects the right timeout to end slow headers and slow bodies. */
async function expectSlowClientsCutOff(server: Server, secret: string): Promise<void> {
  const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
  const announced = 'Content-Length: 10000\r\n\r\n{';
  const toApi = `${post(`${PATH}/applications`)}Authorization: Bearer ${secret}\r\n${announced}`;
  const [silent, slowHeaders, slowBody, slowBodyElsewhere] = await Promise.all([
    sendSlowly(server, '', ''),
    sendSlowly(server, post('/mine'), 'X: y\r\n'),
    sendSlowly(server, toApi, ''),
    sendSlowly(server, post('/mine') + announced, ' '),
  ]);
  expect([silent.status, slowHeaders.status]).toEqual([408, 408]);
  // Headers have a shorter time than the whole request: 200 ms instead of 900.
  expect(slowHeaders.ms).toBeLessThan(slowBodyElsewhere.ms - 300);
  // The API's own deadline comes before those of the server, so the partner gets the API's answer.
  expect(slowBody.status).toBe(503);
  expect(slowBodyElsewhere.status).toBe(408);
}

/** Expects a client that never reads its reply to lose the connection. */
async function expectIdleReaderCutOff(server: Server): Promise<void> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.pause().on('error', () => {});
  const [accepted] = (await once(server, 'connection')) as [Socket];
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(accepted, 'close', { signal: AbortSignal.timeout(GIVEN_UP_MS) });
}

tell('docs/hardening.md', async (open) => {
  const page = open({ filling: FAST, env: ENV });
  const partnerHiring = await partnerHiringOf(page);
  const { secret } = await letIn(partnerHiring);

  // Fastify also reads bodies of requests without a route.
  const fastify = exported<FastifyInstance>(await page.play(), 'app');
  onTestFinished(() => fastify.close());
  await expectSlowClientsCutOff(fastify.server, secret);

  const program = await page.play();
  exported<Express>(program, 'app').post('/mine', express.json());
  const server = exported<Server>(program, 'server');
  onTestFinished(async () => void server.close());
  if (!server.listening) await once(server, 'listening');
  await expectSlowClientsCutOff(server, secret);
  exported<Express>(program, 'app').get('/large', (_request, response) => {
    response.send('x'.repeat(50_000_000));
  });
  await expectIdleReaderCutOff(server);

  const limits = Object.fromEntries(
    [...page.next('text').text.matchAll(/(client_\w+_size|limit_conn) (?:partners )?(\d+)k?;/g)].map(
      ([, name = '', number]) => [name, Number(number)],
    ),
  );
  expect(limits.client_max_body_size).toBeGreaterThan(DEFAULT_MAX_BODY_BYTES / 1024);
  expect(limits.client_body_buffer_size).toBe(limits.client_max_body_size);
  expect(limits.limit_conn).toBeGreaterThan(DEFAULT_MAX_IN_FLIGHT_PER_KEY);
});

/** Returns the page's table of settings: the defaults of Fastify and Node, and the value to use. */
function settings(): ReadonlyMap<string, readonly (number | undefined)[]> {
  const rows = readPage(PAGE).matchAll(/^\| `(\w+)`[^|]* \| (.+?) \| (.+?) \| (.+?) \|/gm);
  return new Map([...rows].map(([, name = '', ...cells]) => [name, cells.slice(0, 3).map(readCell)]));
}

/** Returns milliseconds or a count; 0 means no limit. */
function readCell(cell: string): number {
  const text = cell.trim().replaceAll(',', '');
  if (text === 'no limit') return 0;
  return /^\d+ s$/.test(text) ? Number.parseInt(text, 10) * 1_000 : Number(text);
}

/** Returns a server's value of a setting. */
function settingOf(server: object, name: string): number {
  const property = name === 'connectionTimeout' ? 'timeout' : name;
  const checking = Object.getOwnPropertySymbols(server).find(({ description }) => description === name);
  const value: unknown = Reflect.get(server, checking ?? property);
  return typeof value === 'number' ? value : 0;
}

test('the table matches the defaults of Fastify and Node, and the programs', async () => {
  const fastify = Fastify();
  onTestFinished(() => fastify.close());
  const [defaults, node] = [fastify.server, createServer()];
  const programs = fencesOf(PAGE).filter(({ kind }) => kind === 'ts');
  expect(settings().size).toBe(7);
  for (const [name, [ofFastify, ofNode, use]] of settings()) {
    if (name !== 'connectionsCheckingInterval') {
      expect([name, settingOf(defaults, name), settingOf(node, name)]).toEqual([name, ofFastify, ofNode]);
    }
    for (const { text, fileName } of programs.slice(0, 2)) {
      const property =
        fileName === 'hardened-express.ts' && name === 'connectionTimeout' ? 'server.timeout' : name;
      const [, set] = new RegExp(`\\b${property}(?::| =) ([\\d_]+)`).exec(text) ?? [];
      // A program that omits a setting uses the default.
      const preset = fileName === 'hardened-express.ts' ? ofNode : ofFastify;
      const used = set === undefined ? preset : Number(set.replaceAll('_', ''));
      expect([fileName, name, used]).toEqual([fileName, name, use]);
    }
  }
});

test('the values follow the page’s rules', () => {
  const use = (name: string) => settings().get(name)?.[2] ?? Number.NaN;
  expect(use('requestTimeout')).toBeGreaterThan(use('headersTimeout') + DEFAULT_BODY_TIMEOUT_MS);
  expect(use('connectionTimeout')).toBeGreaterThan(DEFAULT_BODY_TIMEOUT_MS);
  expect(readPage(PAGE)).toContain(
    `at most ${DEFAULT_MAX_BODY_BYTES / 1024} KiB (\`maxBodyBytes\`) has ${DEFAULT_BODY_TIMEOUT_MS / 1_000} s`,
  );
  const text = readPage(PAGE).replaceAll('\n', ' ');
  expect(text).toContain(`at most ${DEFAULT_MAX_IN_FLIGHT_PER_KEY} requests under way`);
  const large = MAX_LARGE_PER_KEY * DEFAULT_MAX_BODY_BYTES;
  const small = (DEFAULT_MAX_IN_FLIGHT_PER_KEY - MAX_LARGE_PER_KEY) * LARGE_BODY_BYTES;
  expect(text).toContain(`the bodies of one key hold at most ${Math.ceil((large + small) / MIB)} MiB`);
});

test('every metric to watch exists', () => {
  const watched = readPage(PAGE).match(/`(?:http|partner_hiring)\.[\w.]+`/g) ?? [];
  expect(watched.length).toBeGreaterThan(4);
  const known = readPage('docs/observe.md');
  expect(watched.filter((name) => !known.includes(name))).toEqual([]);
});
