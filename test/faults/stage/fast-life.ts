import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createPartnerHiring } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { BASE_PATH, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import Fastify from 'fastify';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { DAY_MS } from '../../../packages/core/src/domain/time.js';
import { createFastClock } from './fast-clock.js';
import { startFickleReceiver } from './fickle-receiver.js';
import { type Answer, createHttpClient } from './http-client.js';
import { NO_LIMITS } from './platform.js';

/** How long this platform keeps delivered events. */
export const KEPT_MS = 2 * DAY_MS;

/** A key with an endpoint. The test revokes it later. */
export interface Caller {
  readonly keyId: `key_${string}`;
  readonly secret: string;
}

export interface LoggedError {
  readonly message: string;
  readonly err?: { readonly name?: string };
}

/** A platform in one process, on a fast clock. */
export type FastLife = Awaited<ReturnType<typeof openFastLife>>;

/** Opens the platform on a fresh database, with a running worker. */
export async function openFastLife(times: number) {
  const clock = createFastClock(times);
  const [database, receiver] = [await createTestDatabase(), await startFickleReceiver()];
  const errors: LoggedError[] = [];
  const platform = createPartnerHiring({
    storage: await database.open(clock),
    secretKey: '0123456789abcdef'.repeat(4),
    runtime: { ...createSystemRuntime(), clock },
    limits: NO_LIMITS,
    sandbox: true,
    allowPrivateNetworks: true,
    worker: { deliveredEventsMs: KEPT_MS },
    resumeSink: { store: async ({ applicationId }) => ({ location: `memory:${applicationId}` }) },
    logger: {
      debug() {},
      info() {},
      warn() {},
      error: (fields, message) => errors.push({ ...fields, message }),
    },
  });
  const { operator } = platform;
  const app = Fastify({ forceCloseConnections: true });
  await app.register(partnerHiringFastify(platform));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${BASE_PATH}`;
  const [http, host] = [createHttpClient(), await database.host()];
  const company = await operator.companies.create({ name: 'Initech', environment: 'production' });
  platform.worker.start();

  async function answered(answer: Promise<Answer | null>): Promise<Answer> {
    const found = await answer;
    if (found === null) throw new Error('The API did not answer.');
    return found;
  }

  async function issue(environment: 'production' | 'sandbox', endpointUrl: string): Promise<Caller> {
    const partner = await operator.partners.create({ name: 'Acme ATS' });
    const { key, secret } = await operator.keys.issue({ partnerId: partner.id, environment, endpointUrl });
    return { keyId: key.id, secret };
  }

  return {
    clock,
    receiver,
    operator,
    companyId: company.id,
    errors,
    /** Adds a key with an endpoint at that path of the receiver. */
    caller: async (path: '/ok' | '/flaky' | '/gone') => {
      const caller = await issue('production', receiver.url + path);
      await operator.access.grant({ keyId: caller.keyId, companyId: company.id });
      return caller;
    },
    /** Adds a sandbox key. */
    sandboxCaller: () => issue('sandbox', `${receiver.url}/ok`),
    publish: async () => (await operator.jobs.publish({ companyId: company.id, ...WAREHOUSE_JOB })).id,
    get: ({ secret }: Caller, path: string) =>
      answered(
        http.send({ method: 'GET', url: baseUrl + path, headers: { authorization: `Bearer ${secret}` } }),
      ),
    /** Submits a body as it is. */
    submit: ({ secret }: Caller, idempotencyKey: string, body: string) => {
      const headers = {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'idempotency-key': idempotencyKey,
      };
      return answered(http.send({ method: 'POST', url: `${baseUrl}/applications`, headers, body }));
    },
    /** The stored events. */
    events: async () => {
      const rows = await host.rows('select id, key_id from ph_event');
      return (rows as { id: string; key_id: string }[]).map(({ id, key_id }) => ({ id, keyId: key_id }));
    },
    /** Counts the rows of a table. */
    count: async (table: string, where: string = 'true') => {
      const [row] = await host.rows(`select count(*) as count from ${table} where ${where}`);
      return Number((row as { readonly count: unknown }).count);
    },
    /** Returns how long closing took, in real milliseconds. */
    close: async () => {
      http.close();
      await app.close();
      const startedAt = performance.now();
      await platform.close();
      const tookMs = performance.now() - startedAt;
      await host.close();
      await receiver.close();
      await database.remove();
      return tookMs;
    },
  };
}

/** Returns a submission to repeat unchanged. */
export function candidateFor(
  jobId: string,
  changes: { readonly email?: string; readonly resumeUrl?: string } = {},
): { readonly idempotencyKey: string; readonly body: string } {
  const { email = `${randomUUID()}@example.org`, ...others } = changes;
  const candidate = { firstName: 'Ada', lastName: 'L', email, phone: '+14155550123' };
  const body = JSON.stringify({ jobId, candidate, consentToContact: true, ...others });
  return { idempotencyKey: randomUUID(), body };
}
