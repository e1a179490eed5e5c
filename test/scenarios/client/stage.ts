import {
  type ClientOptions,
  createMemorySubmissionStore,
  createPartnerClient,
  type PartnerClient,
  type SubmissionStore,
} from '@partner-hiring/client';
import type { PartnerHiringOptions } from '@partner-hiring/core';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { BASE_PATH, createEmployer, createPartner, type Partner } from '@partner-hiring/test-support/partner';
import type { HostTransaction } from '@partner-hiring/test-support/storages';
import { type Network, openNetwork } from './network.js';
import { turnUntilSettled } from './turn-until-settled.js';

/** One or more processes of a partner on a scripted network. */
export interface ClientStage extends Omit<Network, 'close'> {
  readonly fixture: Fixture;
  readonly partner: Partner;
  readonly store: SubmissionStore;
  /** Starts a client on the shared store. */
  client(options?: Partial<ClientOptions>): PartnerClient;
  /** Advances the clock by seconds until the work settles. */
  during<Result>(work: Promise<Result>): Promise<Result>;
  /** All applications of the partner, by source id. */
  applications(): Promise<readonly Submitted[]>;
  /** A company with a job. */
  employer(): Promise<{ readonly companyId: `co_${string}`; readonly jobId: `job_${string}` }>;
  close(): Promise<void>;
}

/** An application in the partner's list. */
interface Submitted {
  readonly id: string;
  readonly sourceApplicationId: string | null;
}

/** Opens a stage on a fresh database. */
export async function openClientStage(
  options: Partial<PartnerHiringOptions<HostTransaction>> = {},
): Promise<ClientStage> {
  const fixture = await createFixture(options);
  const partner = await createPartner(fixture, { endpoint: false });
  const store = createMemorySubmissionStore();
  const network = openNetwork(fixture);
  const asAProcessDoes: ClientOptions = {
    baseUrl: `https://api.example.org${BASE_PATH}`,
    apiKey: partner.secret,
    submissions: store,
    clock: fixture.clock,
    fetch: network.fetch,
  };
  return {
    ...network,
    fixture,
    partner,
    store,
    client: (changes = {}) => createPartnerClient({ ...asAProcessDoes, ...changes }),
    during: (work) => turnUntilSettled(fixture.clock, work),
    applications: () => applicationsOf(partner),
    employer: () => createEmployer(fixture, partner),
    close: async () => {
      network.close();
      await fixture.close();
    },
  };
}

async function applicationsOf(partner: Partner): Promise<readonly Submitted[]> {
  const { json } = await partner.get('/applications?limit=200');
  return json.data as readonly Submitted[];
}
