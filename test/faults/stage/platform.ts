import type { PartnerHiringOptions, RateLimits, Storage } from '@partner-hiring/core';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner, type Partner } from '@partner-hiring/test-support/partner';
import {
  cellsOfRun,
  createTestSchema,
  type TestSchema,
} from '@partner-hiring/test-support/postgres/database';
import { createSystemRuntime } from '../../../packages/core/src/defaults/system-runtime.js';
import { type Replica, startReplica } from './replicas.js';

/** A partner key with its own company and job. */
export interface Tenant extends Partner {
  readonly companyId: `co_${string}`;
  readonly jobId: `job_${string}`;
}

/** A platform of many processes on one schema. This process is its host. */
export interface Platform {
  readonly database: TestSchema;
  readonly storage: Storage<unknown>;
  readonly fixture: Fixture;
  /** Adds keys with a company, a job, and an endpoint if a URL is given. */
  tenants(count: number, endpointUrl?: string): Promise<readonly Tenant[]>;
  startApi(limits?: Partial<RateLimits>): Promise<Replica>;
  startWorker(leaseMs?: number): Promise<Replica>;
  close(): Promise<void>;
}

/** High enough for tests that are not about limits. */
const UNREACHED = 1_000_000;
export const NO_LIMITS = {
  submit_application: UNREACHED,
  read_application: UNREACHED,
  list_applications: UNREACHED,
  list_jobs: UNREACHED,
  list_events: UNREACHED,
  guard: UNREACHED,
} satisfies Partial<RateLimits>;

/** Opens a platform on a new schema, by default in the database of the run. With several cells, it has as many schemas. */
export async function openPlatform(
  connectionString?: string,
  cells = cellsOfRun(),
  options: Pick<PartnerHiringOptions<never>, 'selfService'> = {},
): Promise<Platform> {
  const database = createTestSchema(connectionString, cells);
  const { schemas } = database;
  const secretKey = '0123456789abcdef'.repeat(4);
  const storage = await createPostgresStorage({ connectionString: database.connectionString, ...schemas });
  const fixture = await createFixture({
    storage,
    secretKey,
    runtime: createSystemRuntime(),
    limits: NO_LIMITS,
    allowPrivateNetworks: true,
    ...options,
  });
  const replicas: Replica[] = [];
  const of = { connectionString: database.connectionString, schemas, secretKey };

  async function tenant(endpointUrl: string | undefined): Promise<Tenant> {
    const partner = await createPartner(fixture, { endpoint: false });
    if (endpointUrl !== undefined) {
      await fixture.operator.endpoints.setUrl({ keyId: partner.keyId, url: endpointUrl });
    }
    return { ...partner, ...(await createEmployer(fixture, partner)) };
  }

  async function tracked(starting: Promise<Replica>): Promise<Replica> {
    const replica = await starting;
    replicas.push(replica);
    return replica;
  }

  return {
    database,
    storage: storage as Storage<unknown>,
    fixture,
    tenants: async (count, endpointUrl) => {
      const made: Tenant[] = [];
      for (let index = 0; index < count; index += 1) made.push(await tenant(endpointUrl));
      return made;
    },
    startApi: (limits = NO_LIMITS) => tracked(startReplica({ ...of, role: 'api', limits })),
    startWorker: (leaseMs) =>
      tracked(startReplica({ ...of, role: 'worker', ...(leaseMs === undefined ? {} : { leaseMs }) })),
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await fixture.close();
      await database.drop();
    },
  };
}
