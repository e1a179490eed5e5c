import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  BASE_PATH,
  createPartner,
  type Partner,
  submission,
  WAREHOUSE_JOB,
} from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createSystemRuntime } from '../../../../packages/core/src/defaults/system-runtime.js';
import { freshWindow } from '../../../conformance/suite/fresh-window.js';
import type { AttackerOrder } from '../../abuse-attacker.js';
import type {
  AbusedServerReady,
  AbusedServerSettings,
  AbusedServerState,
  Mount,
} from '../../abuse-server.js';
import { type Child, startChild } from '../child.js';
import { NO_LIMITS } from '../platform.js';
import type { Measured, MeasureOrder, Victim } from './measure.js';

export interface Attacker extends Partner {
  readonly jobId: string;
}

/** The service, its attackers and other partners, each in a process. */
export interface AbusedService {
  readonly port: number;
  /** Includes the base path. */
  readonly url: string;
  /** Adds a key with open jobs, by default one, and applications to one of them. */
  attacker(counts?: { readonly jobs?: number; readonly applications?: number }): Promise<Attacker>;
  /** Sends an order to the attackers. */
  tell<Answer = object>(order: AttackerOrder): Promise<Answer>;
  /** Measures this many requests of the other partners. */
  measure(requests: number): Promise<Measured>;
  state(): Promise<AbusedServerState>;
  /** Resolves at the start of a rate-limit window. */
  freshWindow(): Promise<void>;
  close(): Promise<void>;
}

/** Enough partners that none exceeds its limits at the pace below. */
const VICTIMS = { keys: 30, companies: 12 };
/** 100 requests a second. */
const EVERY_MS = 10;

const SECRET_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex');

/** Opens the service on a fresh database, with defaults except for `options`. */
export async function openAbusedService(
  mount: Mount,
  options: AbusedServerSettings['options'] = {},
): Promise<AbusedService> {
  const database = await createTestDatabase();
  const runtime = createSystemRuntime();
  const storage = await database.open(runtime.clock);
  const fixture = await createFixture({ storage, runtime, secretKey: SECRET_KEY, limits: NO_LIMITS });
  const victims = await addVictims(fixture);
  const settings: AbusedServerSettings = {
    location: database.location,
    mount,
    secretKey: SECRET_KEY,
    options,
  };
  const server = await startChild<AbusedServerReady>('abuse-server.ts', [JSON.stringify(settings)]);
  const attackers = await startChild<object>('abuse-attacker.ts', []);
  const others = await startChild<object>('abuse-victim.ts', []);
  const children: readonly Child<object>[] = [server, attackers, others];
  const { port } = server.ready;
  const url = `http://127.0.0.1:${port}${BASE_PATH}`;

  return {
    port,
    url,
    attacker: ({ jobs = 1, applications = 0 } = {}) => addAttacker(fixture, jobs, applications),
    tell: (order) => attackers.ask(order),
    measure: (requests) => {
      const order: MeasureOrder = { url, victims, requests, everyMs: EVERY_MS };
      return others.ask(order);
    },
    state: () => server.ask({}),
    freshWindow: () => freshWindow(storage),
    close: async () => {
      await Promise.all(children.map((child) => child.kill()));
      await fixture.close();
      await database.remove();
    },
  };
}

function times<Value>(count: number, make: () => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, make));
}

async function addVictims(fixture: Fixture): Promise<readonly Victim[]> {
  const employers = await times(VICTIMS.companies, () => addEmployer(fixture, 1));
  return times(VICTIMS.keys, async () => {
    const partner = await createPartner(fixture, { endpoint: false });
    for (const { companyId } of employers)
      await fixture.operator.access.grant({ keyId: partner.keyId, companyId });
    const jobIds = employers.flatMap((employer) => employer.jobIds);
    return { secret: partner.secret, jobIds, applicationId: await apply(partner, jobIds[0] ?? '') };
  });
}

async function addEmployer(fixture: Fixture, jobs: number) {
  const company = await fixture.operator.companies.create({ name: 'Initech', environment: 'production' });
  const published = await times(jobs, () =>
    fixture.operator.jobs.publish({ companyId: company.id, ...WAREHOUSE_JOB }),
  );
  return { companyId: company.id, jobIds: published.map(({ id }) => id) };
}

async function addAttacker(fixture: Fixture, jobs: number, applications: number): Promise<Attacker> {
  const partner = await createPartner(fixture, { endpoint: false });
  const { companyId, jobIds } = await addEmployer(fixture, jobs);
  await fixture.operator.access.grant({ keyId: partner.keyId, companyId });
  const [jobId = ''] = jobIds;
  await times(applications, () => apply(partner, jobId));
  return { ...partner, jobId };
}

async function apply(partner: Partner, jobId: string): Promise<string> {
  const { status, json } = await partner.submit(submission(jobId));
  if (status !== 201) throw new Error(`Refused with ${status}.`);
  return String(json.id);
}
