import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApplicationId,
  createPartnerHiring,
  type IssuedKey,
  type PartnerHiring,
  type PartnerHiringOptions,
} from '@partner-hiring/core';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import type { Database } from 'better-sqlite3';
import Fastify from 'fastify';
import { expect, onTestFinished } from 'vitest';

/** The variable of the sealing key, as the pages set it. */
export const KEY = { PARTNER_HIRING_SEALING_KEY: '0123456789abcdef'.repeat(4) };

/** For pages whose webhooks must reach this machine. */
export const KEY_ON_THIS_MACHINE = { ...KEY, ALLOW_PRIVATE_NETWORKS: 'yes' };

/** The path of the partner API. */
export const PATH = '/api/v1/external';

/** A hiring platform with one partner. It ends with the test. */
export interface Host {
  readonly baseUrl: string;
  readonly issued: IssuedKey;
  readonly partnerHiring: PartnerHiring<Database>;
}

type HostOptions = Pick<PartnerHiringOptions<Database>, 'sandbox' | 'allowPrivateNetworks' | 'selfService'>;

/** Starts a platform with the open job of {@link letIn}. */
export async function startHost(options: HostOptions = {}, endpointUrl?: string): Promise<Host> {
  const { baseUrl, partnerHiring } = await startPlatform(options);
  return { baseUrl, partnerHiring, issued: await letIn(partnerHiring, endpointUrl) };
}

/** Starts a platform with a sandbox, whose worker sends webhooks to this endpoint. */
export async function startSandbox(endpointUrl: string): Promise<Host> {
  const { baseUrl, partnerHiring } = await startPlatform({
    sandbox: true,
    allowPrivateNetworks: true,
    selfService: { events: true },
  });
  const partner = await partnerHiring.operator.partners.create({ name: 'Acme ATS' });
  const issued = await partnerHiring.operator.keys.issue({
    partnerId: partner.id,
    environment: 'sandbox',
    endpointUrl,
  });
  partnerHiring.worker.start();
  return { baseUrl, partnerHiring, issued };
}

async function startPlatform(options: HostOptions): Promise<Omit<Host, 'issued'>> {
  const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-host-'));
  const partnerHiring = createPartnerHiring({
    storage: await createSqliteStorage({ file: join(folder, 'host.sqlite') }),
    secretKey: KEY.PARTNER_HIRING_SEALING_KEY,
    ...options,
  });
  const app = Fastify();
  await app.register(partnerHiringFastify(partnerHiring));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await app.close();
    await partnerHiring.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { baseUrl: `${origin}${PATH}`, partnerHiring };
}

/** Gives a partner access to `Bistro Nord`, which has one open job with one question. */
export async function letIn<HostTx>(
  { operator }: PartnerHiring<HostTx>,
  endpointUrl?: string,
): Promise<IssuedKey> {
  const partner = await operator.partners.create({ name: 'Acme ATS' });
  const issued = await operator.keys.issue({
    partnerId: partner.id,
    environment: 'production',
    ...(endpointUrl === undefined ? {} : { endpointUrl }),
  });
  const name = 'Bistro Nord';
  const company = await operator.companies.create({ id: 'co_bistro', name, environment: 'production' });
  await operator.access.grant({ keyId: issued.key.id, companyId: company.id });
  await operator.jobs.publish({
    id: 'job_01k2f7',
    companyId: company.id,
    title: 'Line Cook',
    location: { city: 'Austin', state: 'TX', country: 'US' },
    compensation: { min: 18, max: 22.5, currency: 'USD' },
    applicationFormSchema: [
      { key: 'weekends', label: 'Can you work weekends?', type: 'boolean', required: true },
    ],
  });
  return issued;
}

/** Returns a free port. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === 'object' && address !== null ? address.port : 0);
}

/** Calls `/applications`. */
export function callApplications(
  baseUrl: string,
  key: string,
  init: RequestInit = {},
  send: (request: Request) => Promise<Response> = fetch,
): Promise<Response> {
  const headers = { ...init.headers, Authorization: `Bearer ${key}` };
  return send(new Request(`${baseUrl}/applications`, { ...init, headers }));
}

/** Submits a candidate and returns the application's id. */
export async function apply(
  baseUrl: string,
  key: string,
  {
    send,
    named = {},
    ...more
  }: {
    jobId?: string;
    resumeUrl?: string;
    named?: { firstName?: string; lastName?: string };
    send?: (request: Request) => Promise<Response>;
  } = {},
): Promise<ApplicationId> {
  const person = { firstName: 'Ada', lastName: 'Reyes', email: 'ada@example.com', phone: '+17755550123' };
  const submission = {
    jobId: 'job_01k2f7',
    candidate: { ...person, ...named },
    consentToContact: true,
    applicationFormAnswers: { weekends: true },
    ...more,
  };
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  const body = JSON.stringify(submission);
  const created = await callApplications(baseUrl, key, { method: 'POST', headers, body }, send);
  const { id } = (await created.json()) as { readonly id?: ApplicationId };
  if (id === undefined) throw new Error(`The submission was answered with ${created.status}.`);
  return id;
}

/** Sends a request, like `fetch`. */
export type Send = (request: Request) => Promise<Response>;

/** Expects the API to answer a valid key, and to refuse a request without one. */
export async function expectServed(origin: string, key: string, send: Send = fetch): Promise<void> {
  const get = (headers: Readonly<Record<string, string>>) =>
    send(new Request(`${origin}${PATH}/jobs`, { headers: { ...headers } }));
  const allowed = await get({ authorization: `Bearer ${key}` });
  expect(allowed.status).toBe(200);
  expect(await allowed.json()).toMatchObject({ data: [{ id: 'job_01k2f7' }] });
  const refused = await get({});
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ error: 'UNAUTHORIZED' });
}

/** Starts an endpoint that always answers with this status, and returns its URL. */
export async function startGone(status = 410): Promise<string> {
  const server = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}
