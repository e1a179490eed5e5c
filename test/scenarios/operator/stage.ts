import { randomBytes } from 'node:crypto';
import type { Runtime, SecretBox, Storage } from '@partner-hiring/core';
import type { Repositories } from '@partner-hiring/core/ports';
import { createFakeClock, type FakeClock } from '@partner-hiring/test-support/clock';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { answered } from '@partner-hiring/test-support/transport';
import { afterAll } from 'vitest';
import { createPhoneNumbers } from '../../../packages/core/src/defaults/phone-numbers.js';
import type { ApplicationRecord } from '../../../packages/core/src/domain/application.js';
import { HOST_ACTOR, systemActor } from '../../../packages/core/src/domain/audit.js';
import { ID_PREFIXES, type KeyId } from '../../../packages/core/src/domain/ids.js';
import type { Job } from '../../../packages/core/src/domain/job.js';
import { RATE_LIMITS } from '../../../packages/core/src/domain/rate-limit.js';
import { createOperatorOf, createStepperOf, hooksOf } from '../../../packages/core/src/features/commands.js';
import {
  createJobSyncRunner,
  type JobsOption,
} from '../../../packages/core/src/features/jobs-sync/job-sync-runner.js';
import type { JobDetailsInput } from '../../../packages/core/src/groups/jobs/job-details.js';
import { withoutSourceId } from '../../../packages/core/src/http/wire.js';
import type { OperatorOptions } from '../../../packages/core/src/operator/operator.js';
import { separateTransactions } from '../../../packages/core/src/operator/runners.js';
import { createStorageClock } from '../../../packages/core/src/storage-clock.js';

/** An operator on an empty database, without partner API and worker. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** An event with its position in the log. */
export interface ReadEvent {
  readonly id: string;
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Minimal details. */
export const PICKER: JobDetailsInput = {
  title: 'Picker',
  location: { city: 'Austin', state: 'TX', country: 'US' },
  compensation: { min: 18, max: 22, currency: 'USD' },
};

/** Settings without test deliveries, worker and sandbox. */
export const WITHOUT_SENDING = {
  hooks: hooksOf(),
  post: async () => answered(200),
  sendOnce: async () => ({ outcome: answered(200), endedAt: 0, latencyMs: 0 }),
  maxInFlightPerEndpoint: 4,
  sandbox: false,
  recordsEvents: false,
  rateLimits: RATE_LIMITS,
  limitsOf: () => [],
  goLive: { required: [], probeProduction: true },
  release: '0.0.0',
  phones: createPhoneNumbers(),
  withoutSourceId,
} as const;

/** One page is enough for these tests. */
const ALL = 200;

/** Seals with the newer of two keys. */
export const SECRET_BOX: SecretBox = {
  keyIds: ['sealed'],
  // Texts of the older key begin with `before:`.
  keyIdOf: (sealed) => sealed.split(':', 1)[0] ?? null,
  seal: (secret) => `sealed:${secret}`,
  open: (sealed) => sealed.slice('sealed:'.length),
};

/** Opens a stage until the file's tests are done. */
export async function openStage(options: Partial<OperatorOptions<unknown>> = {}) {
  const database = await createTestDatabase();
  const clock = createFakeClock();
  const storage = await database.open(clock);
  afterAll(async () => {
    await storage.close();
    await database.remove();
  });
  const runtime = options.runtime ?? createRuntime(clock);
  const storageClock = createStorageClock(storage.direct.time, clock);
  let wakes = 0;
  const operatorOptions: OperatorOptions<unknown> = {
    storage: storage as Storage<unknown>,
    runtime,
    storageClock,
    secretBox: SECRET_BOX,
    rules: { decideFromReceived: false },
    urlPolicy: { allowPlainHttp: false },
    ...WITHOUT_SENDING,
    onCommitted: () => {
      wakes += 1;
    },
    ...options,
  };
  const { operator } = createOperatorOf(operatorOptions);
  const direct = storage.direct;

  return {
    operator,
    /** Runs the steps of operations, as a worker does. */
    stepper: (changes: Partial<OperatorOptions<unknown>> = {}) =>
      createStepperOf(separateTransactions({ ...operatorOptions, ...changes }, HOST_ACTOR)),
    /** Runs the syncs of the option `jobs`, as a worker does. */
    syncs: (jobs: JobsOption, changes: Partial<OperatorOptions<unknown>> = {}) =>
      createJobSyncRunner(
        separateTransactions({ ...operatorOptions, ...changes }, systemActor('jobs-sync')),
        jobs,
      ),
    storage: storage as Storage<unknown>,
    location: database.location,
    /** A host's connection, with its own tables. */
    host: database.host,
    clock,
    runtime,
    storageClock,
    /** How often the worker was woken. */
    wakes: () => wakes,
    /** Issues a key, by default with an endpoint. */
    key: async ({
      environment = 'production',
      endpoint = true,
    }: {
      environment?: 'production' | 'sandbox';
      endpoint?: boolean;
    } = {}) => {
      const partner = await operator.partners.create({ name: 'Acme ATS' });
      const endpointUrl = endpoint ? { endpointUrl: 'https://ats.example/hooks' } : {};
      const { key } = await operator.keys.issue({ partnerId: partner.id, environment, ...endpointUrl });
      return key.id;
    },
    company: async (environment: 'production' | 'sandbox' = 'production') =>
      (await operator.companies.create({ name: 'Warehouse Inc', environment })).id,
    /** The events of a key, parsed. */
    events: (keyId: KeyId) => readEvents(direct, keyId),
    /** The jobs that a key sees, in feed order. */
    visible: async (keyId: KeyId) => {
      const everything = { after: null, updatedSince: null, companyId: null, status: null, limit: ALL };
      const { rows } = await direct.keyJobs.page({ keyId, ...everything });
      return rows.map(({ job, changedAt }) => ({ id: job.id, changedAt }));
    },
    /** Adds an application as a submission does. */
    application: async (keyId: KeyId, job: Job, changes: Partial<ApplicationRecord> = {}) => {
      const application = { ...newApplication(runtime, keyId, job), ...changes };
      await storage.transaction(async (tx) => {
        const [range] = await tx.feed.take([{ keyId, count: 1 }], clock.now());
        const at = range?.first ?? 0;
        const stamped = { ...application, submittedAt: at, lastStatusChangeAt: at, changedAt: at };
        await tx.submissions.add([{ application: stamped, idempotency: boundKey(stamped), resume: null }]);
      });
      const [record] = await direct.applications.find([application.id]);
      if (!record) throw new Error('The application was not stored.');
      return record;
    },
  };
}

/** Ids that count up, so that tests are reproducible. */
function createRuntime(clock: FakeClock): Runtime {
  let made = 0;
  return {
    clock,
    ids: {
      next: (kind) => {
        made += 1;
        return `${ID_PREFIXES[kind]}${String(made).padStart(12, '0')}`;
      },
    },
    random: { bytes: (count) => randomBytes(count), fraction: () => 0.5, token: () => `token-${made}` },
  };
}

async function readEvents(direct: Repositories, keyId: KeyId): Promise<readonly ReadEvent[]> {
  const [events = []] = await direct.events.readLogs([{ keyId, after: -1, limit: 100_000 }]);
  return events.map(({ id, at, body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
    return { id, at, type, data };
  });
}

/** An application as a submission adds it, without its stamps. */
export function newApplication(runtime: Runtime, keyId: KeyId, job: Job): ApplicationRecord {
  const id = runtime.ids.next('application');
  return {
    id,
    keyId,
    jobId: job.id,
    companyId: job.companyId,
    sourceApplicationId: `ats-${id}`,
    status: 'received',
    stage: 'initial_outreach',
    submittedAt: 0,
    lastStatusChangeAt: 0,
    changedAt: 0,
    candidate: { firstName: 'Ada', lastName: 'L', email: 'ada@example.com', phone: '+14155550123' },
    source: null,
    answers: {},
    resumeUrl: null,
    erasedAt: null,
    resume: { kind: 'none' },
  };
}

/** Its idempotency record. */
export function boundKey({ id, keyId, companyId, submittedAt }: ApplicationRecord) {
  return {
    keyId,
    idempotencyKey: id,
    fingerprint: id,
    jsonFingerprint: id,
    applicationId: id,
    companyId,
    reply: { status: 201, body: '{}' },
    createdAt: submittedAt,
    expiresAt: submittedAt + 1,
  };
}
