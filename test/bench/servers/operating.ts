/** The partner API with a worker, and many rows to change. Starts and stops operations on request. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CompanyId,
  createPartnerHiring,
  type KeyId,
  type OperationId,
  type Storage,
} from '@partner-hiring/core';
import type { AcceptedSubmission } from '@partner-hiring/core/ports';
import { partnerHiringFastify } from '@partner-hiring/fastify';
import { createPostgresStorage } from '@partner-hiring/postgres';
import { createSqliteStorage } from '@partner-hiring/sqlite';
import Fastify from 'fastify';
import { announcePort } from './announce-port.js';
import { benchJob, seedBenchmark } from './seed.js';

const [act = 'erase', rows = '1000', connectionString] = process.argv.slice(2);
const UNREACHED = 1_000_000_000;
const BATCH = 500;
/** Of one operation. */
const PEOPLE = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'partner-hiring-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const storage: Storage<never> =
  connectionString === undefined
    ? await createSqliteStorage({ file: join(folder, 'bench.sqlite') })
    : await createPostgresStorage({ connectionString });
const partnerHiring = createPartnerHiring({
  storage,
  secretKey: '0123456789abcdef'.repeat(4),
  limits: {
    submit_application: UNREACHED,
    read_application: UNREACHED,
    list_applications: UNREACHED,
    list_jobs: UNREACHED,
  },
  // Only the operation should use the machine.
  resumeSource: {
    fetch: async () => ({ kind: 'failed', reason: 'too_large', retryable: false }),
    close: async () => {},
  },
  resumeSink: { store: async () => ({ location: 'nowhere' }), remove: async () => {} },
});
const { operator, worker } = partnerHiring;

const partners = await seedBenchmark(partnerHiring);
const begin = await prepare();
worker.start();

let running: OperationId | null = null;

/** Adds the rows of the act. Returns what starts an operation on them. */
async function prepare(): Promise<() => Promise<OperationId | null>> {
  if (act === 'access') return changesOfAccess(Number(rows));
  const companyIds: CompanyId[] = [];
  for (let left = Number(rows); left > 0; left -= PEOPLE)
    companyIds.push(await addPeople(Math.min(left, PEOPLE)));
  const ofAll = companyIds.values();
  return async () => {
    const companyId = ofAll.next().value;
    if (companyId === undefined) throw new Error('There are too few rows for all rounds.');
    const started =
      act === 'erase'
        ? await operator.candidates.eraseMany({ companyId })
        : await operator.bulk.start({ act: 'applications.decide', decision: 'rejected', companyId });
    return started.operation?.id ?? null;
  };
}

/** Adds companies with a job each. In turn, all keys get access to all of them, and lose it. */
async function changesOfAccess(count: number): Promise<() => Promise<OperationId | null>> {
  const ids: CompanyId[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await operator.companies.create({ name: `Store ${index}`, environment: 'production' });
    await operator.jobs.publish(benchJob(id, index));
    ids.push(id);
  }
  let isGranted = false;
  return async () => {
    isGranted = !isGranted;
    const { operation } = await operator.bulk.start({
      act: isGranted ? 'access.grant' : 'access.revoke',
      ids,
    });
    return operation?.id ?? null;
  };
}

/** Starts or stops an operation. Returns how many rows it has changed since the last start. */
async function operate(isOn: boolean): Promise<number> {
  if (isOn) {
    running = await begin();
    worker.wake();
    return 0;
  }
  if (running === null) return 0;
  const { operation } = await operator.operations.stop({ id: running });
  running = null;
  return operation.counts.done;
}

process.on('message', (order: { readonly isOn: boolean }) => {
  void operate(order.isOn).then((changed) => process.send?.({ changed }));
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
const app = Fastify();
await app.register(partnerHiringFastify(partnerHiring));
await app.listen({ port: 0, host: '127.0.0.1' });
announcePort(app.server, { partners });

/** Adds applications of people to a company of its own. */
async function addPeople(count: number): Promise<CompanyId> {
  const { id } = await operator.companies.create({ name: 'Closed Ltd', environment: 'production' });
  const [view] = (await operator.keys.list()).items;
  const [first] = (await operator.applications.list({ limit: 1 })).items;
  if (view === undefined || first === undefined) throw new Error('Nothing was seeded.');
  const keyId = view.key.id;
  const job = await operator.jobs.find({ id: first.jobId });
  if (job === null) throw new Error('The job is missing.');
  const { title, location, compensation, schedule, headcount, applicationFormSchema } = job;
  const published = await operator.jobs.publish({
    companyId: id,
    title,
    location,
    compensation,
    schedule,
    headcount,
    applicationFormSchema,
  });
  for (let start = 0; start < count; start += BATCH) {
    await storage.transaction(async (tx) => {
      const size = Math.min(BATCH, count - start);
      const [stamps] = await tx.feed.take([{ keyId, count: size }], await tx.time.now());
      const rows = Array.from({ length: size }, (_, index) =>
        personOf(keyId, id, published.id, (stamps?.first ?? 0) + index, start + index),
      );
      await tx.submissions.add(rows);
    });
  }
  return id;
}

function personOf(
  keyId: KeyId,
  companyId: `co_${string}`,
  jobId: `job_${string}`,
  at: number,
  number: number,
): AcceptedSubmission {
  const id = `ej_app_${randomUUID()}` as const;
  const digits = String(number).padStart(7, '0');
  return {
    application: {
      id,
      keyId,
      companyId,
      jobId,
      sourceApplicationId: `source-${number}`,
      status: 'in_progress',
      stage: 'video_interview',
      submittedAt: at,
      lastStatusChangeAt: at,
      changedAt: at,
      erasedAt: null,
      candidate: {
        firstName: 'Ada',
        lastName: `Lovelace ${number}`,
        email: `ada.${number}@example.org`,
        phone: `+1415${digits}`,
      },
      source: 'careers-page',
      answers: { about: 'A few words about me. '.repeat(5) },
      resumeUrl: `https://files.example.org/${number}.pdf`,
      resume: { kind: 'fetched', location: `folder/${number}.pdf`, fetchedAt: at },
    },
    idempotency: {
      keyId,
      idempotencyKey: randomUUID(),
      applicationId: id,
      companyId,
      fingerprint: 'f'.repeat(64),
      jsonFingerprint: 'a'.repeat(64),
      reply: { status: 201, body: JSON.stringify({ id, sourceApplicationId: `source-${number}` }) },
      createdAt: at,
      expiresAt: at + 86_400_000,
    },
    resume: null,
  };
}
