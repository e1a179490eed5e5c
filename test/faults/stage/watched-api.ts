import type { AddressInfo } from 'node:net';
import type { Handler, HttpReply, HttpRequest, PartnerHiringOptions } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createFixture } from '@partner-hiring/test-support/fixture';
import {
  BASE_PATH,
  createEmployer,
  createPartner,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase, type HostTransaction } from '@partner-hiring/test-support/storages';
import Fastify from 'fastify';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import type { Candidate } from '../../../packages/core/src/domain/application.js';
import { NO_LIMITS } from './platform.js';

/** Intercepts requests and replies of the API. */
export interface Meddler {
  /** Returns a reply instead of the API's, or null. */
  before?(request: HttpRequest): Promise<HttpReply | null>;
  /** Replaces the reply after the commit. */
  after?(request: HttpRequest, reply: HttpReply): Promise<HttpReply>;
}

/** The API with a key and a job. */
export interface WatchedApi {
  readonly port: number;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly jobId: string;
  readonly companyId: string;
  /** The API's own replies to submissions. */
  readonly answers: readonly { readonly status: number; readonly isReplay: boolean }[];
  meddle(meddler: Meddler): void;
  /** Publishes another job; returns its id. */
  publish(): Promise<string>;
  /** The source ids of all applications. */
  stored(): Promise<readonly (string | null)[]>;
  /** The candidates of the applications with this source id. */
  candidates(sourceApplicationId: string): Promise<readonly Pick<Candidate, 'firstName' | 'email'>[]>;
  close(): Promise<void>;
}

/** Opens the API on a fresh database. */
export async function openWatchedApi(
  selfService: PartnerHiringOptions<HostTransaction>['selfService'] = {},
): Promise<WatchedApi> {
  const runtime = createSystemRuntime();
  const database = await createTestDatabase();
  const storage = await database.open(runtime.clock);
  const fixture = await createFixture({ storage, runtime, limits: NO_LIMITS, selfService });
  const partner = await createPartner(fixture, { endpoint: false });
  const { companyId, jobId } = await createEmployer(fixture, partner);
  const answers: { status: number; isReplay: boolean }[] = [];
  let meddler: Meddler = {};

  const { handler } = fixture.partnerHiring;
  const meddled = async (request: HttpRequest): Promise<HttpReply> => {
    const instead = await meddler.before?.(request);
    if (instead !== null && instead !== undefined) return instead;
    const reply = await handler(request);
    if (request.method === 'POST') {
      answers.push({ status: reply.status, isReplay: 'Idempotent-Replayed' in reply.headers });
    }
    return meddler.after === undefined ? reply : meddler.after(request, reply);
  };
  const watched: Handler = Object.assign(meddled, { basePath: handler.basePath });
  const app = Fastify({ forceCloseConnections: true });
  await app.register(partnerHiringFastify({ handler: watched }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;

  return {
    port,
    baseUrl: `http://127.0.0.1:${port}${BASE_PATH}`,
    apiKey: partner.secret,
    jobId,
    companyId,
    answers,
    meddle: (next) => {
      meddler = next;
    },
    publish: async () => (await fixture.operator.jobs.publish({ companyId, ...WAREHOUSE_JOB })).id,
    stored: async () => {
      const ids: (string | null)[] = [];
      for (let cursor = ''; ; ) {
        const { json } = await partner.get(`/applications?limit=200${cursor}`);
        ids.push(
          ...(json.data as { sourceApplicationId: string | null }[]).map((row) => row.sourceApplicationId),
        );
        if (json.next_cursor === undefined) return ids;
        cursor = `&cursor=${String(json.next_cursor)}`;
      }
    },
    candidates: async (sourceApplicationId) => {
      const { items } = await fixture.operator.applications.list({ sourceApplicationId });
      return items.map(({ candidate }) => candidate);
    },
    close: async () => {
      await app.close();
      await fixture.close();
      await database.remove();
    },
  };
}

export const DISCARD = { maxBytes: 4 * 1024 * 1024, maxMs: 5_000 };

/** Returns an error in the API's format. */
export function plantedError(
  status: number,
  body: Readonly<Record<string, unknown>>,
  retryAfterSeconds: number,
): HttpReply {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Retry-After': String(retryAfterSeconds) },
    body: JSON.stringify({ message: 'Planted.', ...body }),
    discard: DISCARD,
  };
}
