import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createPartnerHiring, type KeyId } from '@partner-hiring/core';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import { temporaryFolder } from '@partner-hiring/test-support/temporary-folder';
import { onTestFinished } from 'vitest';

/** A receiver that answers when the test says so. */
export interface HangingReceiver {
  readonly url: string;
  /** Resolves when the first webhook has arrived. */
  readonly requested: Promise<unknown>;
  answer(): void;
}

export async function startHangingReceiver(): Promise<HangingReceiver> {
  let answer = () => {};
  const server = createServer((_request, response) => {
    answer = () => response.end();
  }).listen(0, '127.0.0.1');
  const requested = once(server, 'request');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hooks`, requested, answer: () => answer() };
}

/** Opens the library on a file, as `host.ts` does. */
export async function openLibrary(file: string) {
  return createPartnerHiring({
    storage: await createSqliteStorage({ file }),
    secretKey: '0123456789abcdef'.repeat(4),
    allowPrivateNetworks: true,
  });
}

/** Makes a database with one event that is due at the URL. */
export async function storeDueEvent(endpointUrl: string): Promise<{ file: string; keyId: KeyId }> {
  const file = join(temporaryFolder(), 'host.sqlite');
  const partnerHiring = await openLibrary(file);
  const { partners, keys, companies, access, jobs } = partnerHiring.operator;
  const { id: partnerId } = await partners.create({ name: 'Acme ATS' });
  const { key } = await keys.issue({ partnerId, environment: 'production', endpointUrl });
  await companies.create({ id: 'co_bistro', name: 'Bistro', environment: 'production' });
  await access.grant({ keyId: key.id, companyId: 'co_bistro' });
  const terms = {
    location: { city: 'Austin', state: 'TX', country: 'US' },
    compensation: { currency: 'USD' },
  };
  await jobs.publish({ id: 'job_4711', companyId: 'co_bistro', title: 'Line Cook', ...terms });
  await partnerHiring.close();
  return { file, keyId: key.id };
}
