/**
 * A host that stops by `stopOnSignals`. It reports each step to its parent, and the drain period ends when the parent says
 * so. `SETTINGS` is JSON.
 */
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import timers from 'node:timers/promises';
import { createHealth, createPartnerHiring, type PartnerHiring, stopOnSignals } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { StoppableServer } from '../../packages/core/src/process/closing-server.js';
import type { StopTimes } from '../../packages/core/src/process/stop-on-signals.js';
import type { Report, Settings } from './start-host.js';

const SLOW_PATH = '/slow';
const READY_PATH = '/readyz';
const DRAIN_MS = 5_000;

const settings = JSON.parse(process.env.SETTINGS ?? '') as Settings;
const report = (step: Report) => process.send?.(step);

/** Resolves when the parent sends the order. */
const ordered = (order: string) =>
  new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (message === order) resolve();
    });
  });

const { setTimeout: sleep } = timers;
const drained = ordered('drained');
timers.setTimeout = ((ms: number, ...rest: never[]) => {
  if (ms !== DRAIN_MS) return sleep(ms, ...rest);
  report({ step: 'draining' });
  return drained;
}) as typeof sleep;
syncBuiltinESMExports();

const partnerHiring = createPartnerHiring({
  storage: await createSqliteStorage({ file: settings.file }),
  secretKey: '0123456789abcdef'.repeat(4),
  allowPrivateNetworks: true,
});
if (settings.worker) partnerHiring.worker.start();
const health = createHealth(partnerHiring);
const finished = ordered('finish');

/** Answers when the parent says so. */
async function beSlow(): Promise<string> {
  report({ step: 'slow' });
  await finished;
  return 'slow';
}

const MOUNTS = {
  node: mountInNode,
  express: mountInExpress,
  fastify: mountInFastify,
  nest: mountInNest,
};
const { server, port, api = partnerHiring } = await MOUNTS[settings.mount]();
stopOnSignals({
  partnerHiring: api,
  server,
  ...(settings.times satisfies Partial<StopTimes>),
  async close() {
    const isClosed = await partnerHiring.operator.keys.list().then(
      () => false,
      () => true,
    );
    report({ step: 'close', isClosed, worker: partnerHiring.worker.state() });
    if (settings.hangs) await new Promise(() => {});
  },
});
report({ step: 'ready', port });

interface Mounted {
  readonly server: StoppableServer;
  readonly port: number;
  readonly api?: PartnerHiring<never>;
}

function portOf(http: Server): number {
  return (http.address() as AddressInfo).port;
}

function listening(http: Server): Promise<Mounted> {
  return new Promise((resolve) => {
    http.once('listening', () => resolve({ server: http, port: portOf(http) }));
  });
}

async function mountInNode(): Promise<Mounted> {
  const { createNodeHandler } = await import('@partner-hiring/node');
  const handle = createNodeHandler(partnerHiring);
  const http = createServer((request, response) =>
    handle(request, response, async () => {
      if (request.url === SLOW_PATH) return response.end(await beSlow());
      const { status } = await health.ready();
      return response.writeHead(status).end();
    }),
  );
  return listening(http.listen(0, '127.0.0.1'));
}

async function mountInExpress(): Promise<Mounted> {
  const { default: express } = await import('express');
  const { partnerHiringExpress } = await import('@partner-hiring/express');
  const app = express();
  app.use(partnerHiringExpress(partnerHiring));
  app.get(SLOW_PATH, async (_request, response) => void response.send(await beSlow()));
  app.get(READY_PATH, async (_request, response) => {
    const found = await health.ready();
    response.status(found.status).json(found);
  });
  return listening(app.listen(0, '127.0.0.1'));
}

async function mountInFastify(): Promise<Mounted> {
  const { default: Fastify } = await import('fastify');
  const { partnerHiringFastify } = await import('@partner-hiring/fastify');
  const app = Fastify({ return503OnClosing: false });
  await app.register(partnerHiringFastify(partnerHiring));
  app.get(SLOW_PATH, beSlow);
  app.get(READY_PATH, async (_request, reply) => {
    const found = await health.ready();
    return reply.code(found.status).send(found);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { server: app, port: portOf(app.server) };
}

async function mountInNest(): Promise<Mounted> {
  await import('reflect-metadata');
  const { Module } = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  const nest = await import('@partner-hiring/nest');
  class AppModule {}
  const { worker: startWorker } = settings;
  Module({ imports: [nest.PartnerHiringModule.forRoot({ partnerHiring, startWorker })] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  const routes = app.getHttpAdapter();
  interface Reply {
    status(status: number): { send(body: unknown): void };
  }
  routes.get(SLOW_PATH, async (_request: unknown, reply: Reply) => reply.status(200).send(await beSlow()));
  routes.get(READY_PATH, async (_request: unknown, reply: Reply) => {
    const { partner_hiring: found } = await app.get(nest.PartnerHiringHealth).check();
    reply.status(found.status === 'up' ? 200 : 503).send(found);
  });
  await app.listen(0, '127.0.0.1');
  return { server: app, port: portOf(app.getHttpServer()), api: app.get(nest.PARTNER_HIRING) };
}
