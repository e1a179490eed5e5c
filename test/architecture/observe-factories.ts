import { once } from 'node:events';

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine, runMigrate } from '@partner-hiring/cli';
import { createFileSubmissionStore } from '@partner-hiring/client/file-store';
import { createConsole, createOneTimeLogin } from '@partner-hiring/console';
import { createPartnerPortal } from '@partner-hiring/console/portal';
import {
  createConsoleLogger,
  createFetchHandler,
  createPartnerHiring,
  createResumeSource,
  createSafeTransport,
  createSecretBox,
  stopOnSignals,
} from '@partner-hiring/core';
import { offersEndpoint } from '@partner-hiring/core/contract';
import { PartnerHiringModule } from '@partner-hiring/nest';
import { createNodeHandler } from '@partner-hiring/node';
import {
  createOpenApiDocument,
  createPartnerDocs,
  sandboxMarkdown,
  sandboxPage,
} from '@partner-hiring/partner-docs';
import {
  addPostgresCell,
  createPostgresStorage,
  listenForWork,
  listPostgresCells,
  migratePostgres,
  movePostgresPartner,
  openPostgresReader,
  postgresMigrationSql,
} from '@partner-hiring/postgres';
import { createSqliteStorage, migrateSqlite, openSqliteReader } from '@partner-hiring/sqlite';
import { createTestInstance } from '@partner-hiring/testing';
import { temporarySqlite } from '@partner-hiring/testing/sqlite';
import { signWebhook, verifyWebhook } from '@partner-hiring/webhook-verifier';
import { afterAll, vi } from 'vitest';
import { readOptions as readCertifyOptions } from '../../packages/certify/src/options.js';
import { readOptions as readClientOptions } from '../../packages/client/src/client-options.js';
import { checkConsoleOptions } from '../../packages/console/src/options.js';
import { checkPortalOptions } from '../../packages/console/src/portal/options.js';
import { withDefaults } from '../../packages/core/src/domain/optional.js';
import { WORKER_DEFAULTS } from '../../packages/core/src/worker/options.js';
import { createReceiver } from '../../packages/webhook-verifier/src/receiver.js';

export type Options = Readonly<Record<string, unknown>>;

/** Returns what a host notices of a factory with these options beside the required ones. */
export type Observe = (options: Options) => unknown;

const folder = mkdtempSync(join(tmpdir(), 'undefined-options-'));
afterAll(() => rmSync(folder, { recursive: true }));
const clock = { now: () => 1_900_000_000_000 };
const storage = await createSqliteStorage({ file: join(folder, 'shared.sqlite'), clock });
afterAll(() => storage.close());

const SECRET_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const hiring = createPartnerHiring({ storage: { ...storage, close: async () => {} }, secretKey: SECRET_KEY });
afterAll(() => hiring.close());

const JOBS = 'https://hiring.example/api/v1/external/jobs';
const TOO_LARGE = 'x'.repeat(256 * 1024 + 1);
const CLOSED_PORT = { connectionString: 'postgres://nobody@127.0.0.1:1/none' };
const SIGNED_SECRET = 'whsec_for_tests';
const BODY = '{}';
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** A new key, so that its rate limits are unused. */
async function headersOfNewKey(): Promise<{ readonly authorization: string }> {
  const { id: partnerId } = await hiring.operator.partners.create({ name: 'Acme ATS' });
  const { secret } = await hiring.operator.keys.issue({ partnerId, environment: 'production' });
  return { authorization: `Bearer ${secret}` };
}

/** The parts of a reply that do not change from one request to the next. */
async function shown(reply: Response): Promise<unknown> {
  const { status, headers } = reply;
  const text = (await reply.text()).replace(/"requestId":"[^"]*"/, '');
  return [status, headers.get('x-ratelimit-limit'), headers.get('content-type'), text];
}

/** Values that `expect` compares: functions by their text. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (_name, part: unknown) =>
      typeof part === 'function' ? String(part) : part,
    ),
  );
}

async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(plain, (error: unknown) => String(error));
}

/** By the factory's name. */
export const OBSERVE: Readonly<Record<string, Observe>> = {
  offersEndpoint: (options) => offersEndpoint(options),
  async createPartnerHiring(options) {
    const sealing =
      'secretBox' in options ? { secretKey: SECRET_KEY } : { secretBox: createSecretBox(SECRET_KEY) };
    const own = createPartnerHiring({
      ...sealing,
      ...options,
      storage: { ...storage, close: async () => {} },
    });
    const headers = await headersOfNewKey();
    const jobs = await shown(await own.fetch(new Request(JOBS, { headers })));
    const post = { method: 'POST', headers, body: TOO_LARGE };
    const tooLarge = await shown(await own.fetch(new Request(JOBS.replace('jobs', 'applications'), post)));
    await own.close();
    return [jobs, tooLarge, withDefaults(WORKER_DEFAULTS, options.worker as object | undefined)];
  },
  createFetchHandler: async (options) =>
    shown(
      await createFetchHandler(
        hiring.handler,
        options,
      )(new Request(JOBS, { headers: await headersOfNewKey() })),
    ),
  async createNodeHandler(options) {
    const server = createServer(createNodeHandler(hiring, options)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const reply = await shown(
      await fetch(`http://127.0.0.1:${port}/api/v1/external/jobs`, { headers: await headersOfNewKey() }),
    );
    server.closeAllConnections();
    server.close();
    return reply;
  },
  'PartnerHiringModule.forRoot': (options) =>
    plain(PartnerHiringModule.forRoot({ partnerHiring: hiring, ...options })),
  'PartnerHiringModule.forRootAsync': (options) =>
    plain(PartnerHiringModule.forRootAsync({ useFactory: () => hiring, ...options })),
  createConsoleLogger: (options) => plain(createConsoleLogger(options)),
  createSafeTransport: (options) => plain(createSafeTransport(options)),
  createResumeSource: (options) => plain(createResumeSource(options)),
  sandboxMarkdown: (options) => sandboxMarkdown(options),
  sandboxPage: (options) => sandboxPage(options),
  createOpenApiDocument: (options) => createOpenApiDocument(options),
  createPartnerDocs: (options) => plain(createPartnerDocs({ origin: 'https://hiring.example', ...options })),
  createConsole(options) {
    const required = { operator: hiring.operator, actor: () => null };
    createConsole({ ...required, ...options });
    return plain({ ...checkConsoleOptions({ ...required, ...options }), operator: null });
  },
  createPartnerPortal(options) {
    const required = { operator: hiring.operator };
    createPartnerPortal({ ...required, ...options });
    return plain({ ...checkPortalOptions({ ...required, ...options }), operator: null });
  },
  createOneTimeLogin(options) {
    const actor = { id: 'local', name: 'Local', rights: [], partnerIds: 'all' } as const;
    const login = createOneTimeLogin({ actor, ...options });
    return [login.path.replace(/\/[^/]*$/, ''), login.createLink('http://127.0.0.1:1').length];
  },
  createPartnerClient: (options) =>
    plain(readClientOptions({ baseUrl: 'https://hiring.example/api', apiKey: 'pek_test_1', ...options })),
  certify: (options) =>
    plain(readCertifyOptions({ url: 'https://ats.example/hooks', secret: SIGNED_SECRET, ...options })),
  async createSqliteStorage(options) {
    const opened = await createSqliteStorage({ file: join(folder, 'own.sqlite'), ...options });
    const found = await opened.direct.partners.list();
    await opened.close();
    return found;
  },
  migrateSqlite: async (options) =>
    (await migrateSqlite({ file: join(folder, `${Object.keys(options).length}.sqlite`), ...options })).length,
  openSqliteReader(options) {
    const reader = openSqliteReader({ file: join(folder, 'shared.sqlite'), ...options });
    const found = reader.rows('pragma busy_timeout');
    reader.close();
    return found;
  },
  createPostgresStorage: (options) => outcomeOf(createPostgresStorage({ ...CLOSED_PORT, ...options })),
  migratePostgres: (options) => outcomeOf(migratePostgres({ ...CLOSED_PORT, ...options })),
  postgresMigrationSql: (options) => postgresMigrationSql(options),
  async runCommandLine(options) {
    const printed: string[] = [];
    const spy = vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(String(text)));
    const open = async () => ({ operator: hiring.operator, close: async () => {} });
    const code = await runCommandLine({ argv: ['partners', 'list'], open, ...options });
    await runCommandLine({ argv: ['--help'], open, ...options });
    spy.mockRestore();
    return [code, printed.join('')];
  },
  runMigrate: async (options) =>
    outcomeOf(runMigrate({ database: join(folder, 'shared.sqlite'), ...options })),
  createFileSubmissionStore: (options) =>
    outcomeOf(createFileSubmissionStore(join(folder, 'records'), options)),
  addPostgresCell: (options) =>
    outcomeOf(addPostgresCell({ ...CLOSED_PORT, schemas: ['a'], schema: 'b', ...options })),
  listPostgresCells: (options) =>
    outcomeOf(listPostgresCells({ ...CLOSED_PORT, schemas: ['a', 'b'], ...options })),
  movePostgresPartner: (options) =>
    outcomeOf(
      movePostgresPartner({ ...CLOSED_PORT, schemas: ['a', 'b'], partnerId: 'ptn_1', to: 'b', ...options }),
    ),
  async openPostgresReader(options) {
    const reader = openPostgresReader({ ...CLOSED_PORT, ...options });
    const found = await outcomeOf(reader.rows('select 1'));
    await reader.close();
    return found;
  },
  async listenForWork(options) {
    const listener = listenForWork({ ...CLOSED_PORT, worker: { wake: () => {} }, ...options });
    return outcomeOf(listener.close());
  },
  async stopOnSignals(options) {
    const before = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));
    const stops: unknown[] = [];
    const worker = { ...hiring.worker, stop: async (limits: unknown) => void stops.push(limits) };
    const partnerHiring = { stopSoon: () => {}, worker, close: async () => {} };
    await stopOnSignals({ partnerHiring, ...options }).stop();
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal))
        if (!before.has(listener)) process.off(signal, listener);
    }
    return stops.map((limits) => Math.round(((limits as { withinMs: number }).withinMs ?? 0) / 1_000));
  },
  async createTestInstance(options) {
    const instance = await createTestInstance({ database: temporarySqlite(), ...options });
    const found = await shown(await instance.partnerHiring.fetch(new Request(JOBS)));
    await instance.close();
    return found;
  },
  partnerWebhooksExpress: observeReceiver,
  partnerWebhooksFastify: observeReceiver,
  partnerWebhooksFetch: observeReceiver,
  signWebhook: async (options) =>
    Object.keys(await signWebhook({ body: BODY, secret: SIGNED_SECRET, ...options })),
  verifyWebhook: (options) =>
    Promise.all(
      (['250', '350'] as const).map(async (age) => {
        const headers = await signedAgo(Number(age));
        return (await verifyWebhook({ body: BODY, headers, secret: SIGNED_SECRET, ...options })).reason;
      }),
    ),
};

/** The options of the three receivers, which `createReceiver` reads. */
async function observeReceiver(options: Options): Promise<unknown> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const receiver = createReceiver({ secret: SIGNED_SECRET, onEvent: () => {}, ...options }, 'Parsed.');
  const answers = [
    await receiver.receive(await signedAgo(250), BODY),
    await receiver.receive(await signedAgo(350), BODY),
  ];
  const warned = warn.mock.calls.length;
  warn.mockRestore();
  return [receiver.maxBytes, answers, warned];
}

async function signedAgo(seconds: number): Promise<Readonly<Record<string, string>>> {
  const timestamp = Math.floor(Date.now() / 1000) - seconds;
  return { ...(await signWebhook({ body: BODY, secret: SIGNED_SECRET, timestamp })) };
}
