import type { AddressInfo } from 'node:net';
import type { Handler, HttpReply, HttpRequest } from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { BASE_PATH, createEmployer, createPartner } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import Fastify from 'fastify';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { NO_LIMITS } from './platform.js';

/** Stands between the network and the API: may answer in its place, or change what it has answered. */
export interface Meddler {
  /** A reply instead of asking the API, or null. */
  before?(request: HttpRequest): Promise<HttpReply | null>;
  /** What is answered in the place of the reply. All is committed by now. */
  after?(request: HttpRequest, reply: HttpReply): Promise<HttpReply>;
}

/** The API on a port of its own, with a key and a job. */
export interface WatchedApi {
  readonly port: number;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly jobId: string;
  readonly companyId: string;
  /** What the API itself has answered to submissions, as status and whether it was a replay. */
  readonly answers: readonly { readonly status: number; readonly isReplay: boolean }[];
  meddle(meddler: Meddler): void;
  /** The source ids of all applications there are, with repetitions if there were any. */
  stored(): Promise<readonly (string | null)[]>;
  close(): Promise<void>;
}

/** Opens it on a fresh database of the kind that this run is about. */
export async function openWatchedApi(): Promise<WatchedApi> {
  const runtime = createSystemRuntime();
  const database = await createTestDatabase();
  const storage = await database.open(runtime.clock);
  const fixture = await createFixture({ storage, runtime, limits: NO_LIMITS });
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
    close: async () => {
      await app.close();
      await fixture.close();
      await database.remove();
    },
  };
}

/** As for most replies. */
export const DISCARD = { maxBytes: 4 * 1024 * 1024, maxMs: 5_000 };

/** An error as the API spells it. */
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
