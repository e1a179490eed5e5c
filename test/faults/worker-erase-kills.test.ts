/** While workers are killed, erasing many erases every matching person, spares all others, and removes every résumé. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApplicationId, CompanyId, JobId, KeyId, OperationId, Storage } from '@partner-hiring/core';
import type { AcceptedSubmission } from '@partner-hiring/core/ports';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner, submission, WAREHOUSE_JOB } from '@partner-hiring/test-support/partner';
import { createTestDatabase, type Host, type TestDatabase } from '@partner-hiring/test-support/storages';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSystemRuntime } from '../../packages/core/src/defaults/system-runtime.js';
import { DAY_MS, MINUTE_MS } from '../../packages/core/src/domain/time.js';
import { dump } from '../scenarios/personal-data/stage.js';
import type { ErasingMoment, ErasingOrders } from './erasing-worker.js';
import { type Child, startChild } from './stage/child.js';
import { report, sized } from './stage/size.js';

/** Null: the parent kills the worker after a random time. */
const MOMENTS: readonly (ErasingMoment | null)[] = [
  null,
  'in_step',
  'before_commit',
  'after_commit',
  'in_removal',
  'after_removal',
];
const KILLS = sized(60, 6);
/** A step erases ten. */
const PEOPLE = sized(6_000, 600);
/** Old applications to another company, and applications that changed since. */
const OTHERS = sized(600, 60);
const RANDOM_MS = 400;
const MOST_STEPS = 4;
/** Longer than the lease of a removal. */
const LEASE_MS = 6 * MINUTE_MS;
const ENDED_WITHIN_MS = 120_000;

interface Person {
  readonly id: ApplicationId;
  readonly name: string;
}

let database: TestDatabase;
let storage: Pick<Storage<unknown>, 'transaction'>;
let fixture: Fixture;
let host: Host;
let home: string;
const children = new Set<Child<string>>();

beforeEach(async () => {
  database = await createTestDatabase();
  const opened = await database.open(createSystemRuntime().clock);
  storage = opened;
  fixture = await createFixture({ storage: opened });
  host = await database.host();
  home = await mkdtemp(join(tmpdir(), 'partner-hiring-erase-'));
  await mkdir(join(home, 'resumes'));
  await writeFile(join(home, 'log'), '');
});
afterEach(async () => {
  await Promise.all([...children].map((child) => child.kill()));
  children.clear();
  await host.close();
  await fixture.close();
  await database.remove();
  await rm(home, { recursive: true, force: true });
});

async function start(changes: Partial<ErasingOrders>): Promise<Child<string>> {
  const orders: ErasingOrders = {
    location: database.location,
    folder: join(home, 'resumes'),
    log: join(home, 'log'),
    moment: null,
    after: 0,
    clockAheadMs: 0,
    ...changes,
  };
  const child = await startChild<string>('erasing-worker.ts', [JSON.stringify(orders)]);
  children.add(child);
  return child;
}

interface Employer {
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  readonly jobId: JobId;
}

/** Adds applications with names that begin with `prefix`. Every third has no résumé. */
async function addPeople(employer: Employer, prefix: string, count: number, ageMs: number) {
  const people = Array.from({ length: count }, (_, index): Person => {
    return { id: `ej_app_${prefix}${index}`, name: `Zq${prefix}${index}xw` };
  });
  await storage.transaction(async (tx) => {
    const now = await tx.time.now();
    const [stamps] = await tx.feed.take([{ keyId: employer.keyId, count }], now);
    const first = (stamps?.first ?? 0) - ageMs;
    await tx.submissions.add(people.map((person, index) => rowOf(employer, person, first + index, index)));
  });
  const withResume = people.filter((_, index) => hasResume(index)).map(({ id }) => id);
  await Promise.all(withResume.map((id) => writeFile(join(home, 'resumes', `${id}.pdf`), id)));
  return { people, withResume };
}

function hasResume(index: number): boolean {
  return index % 3 !== 0;
}

function rowOf(employer: Employer, { id, name }: Person, at: number, index: number): AcceptedSubmission {
  const { keyId, companyId } = employer;
  return {
    application: {
      id,
      ...employer,
      sourceApplicationId: `Id${name}`,
      status: 'received',
      stage: 'initial_outreach',
      submittedAt: at,
      lastStatusChangeAt: at,
      changedAt: at,
      erasedAt: null,
      candidate: { firstName: name, lastName: name, email: `${name}@example.org`, phone: '+14155550123' },
      source: `Source${name}`,
      answers: { about: `Answer${name}` },
      resumeUrl: `https://cv.example/${name}.pdf`,
      resume: hasResume(index)
        ? { kind: 'fetched', location: join('resumes', `${name}.pdf`), fetchedAt: at }
        : { kind: 'none' },
    },
    idempotency: {
      keyId,
      idempotencyKey: id,
      applicationId: id,
      companyId,
      createdAt: at,
      expiresAt: at + DAY_MS,
      fingerprint: 'f'.repeat(64),
      jsonFingerprint: 'a'.repeat(64),
      reply: { status: 201, body: JSON.stringify({ id, sourceApplicationId: `Id${name}` }) },
    },
    resume: null,
  };
}

/** Returns the names that the database still contains in any column. */
async function storedNames(): Promise<ReadonlySet<string>> {
  return new Set((await dump(host)).match(/Zq[a-z]+\d+xw/g));
}

it(`erases each of ${PEOPLE} people and nobody else when the worker is killed ${KILLS} times`, async () => {
  const { operator } = fixture;
  const partner = await createPartner(fixture, { endpoint: false });
  const { keyId } = partner;
  const employ = async (name: string): Promise<Employer> => {
    const { id: companyId } = await operator.companies.create({ name, environment: 'production' });
    await operator.access.grant({ keyId, companyId });
    const { id: jobId } = await operator.jobs.publish({ ...WAREHOUSE_JOB, companyId });
    return { keyId, companyId, jobId };
  };
  const [employer, other] = [await employ('Depot'), await employ('Bakery')];
  const gone = await addPeople(employer, 'gone', PEOPLE, 2 * DAY_MS);
  const kept = [
    await addPeople(employer, 'young', OTHERS, 0),
    await addPeople(other, 'other', OTHERS, 2 * DAY_MS),
  ];
  const { operation } = await operator.candidates.eraseMany({
    companyId: employer.companyId,
    changedBefore: Date.now() - DAY_MS,
    clearSourceApplicationId: true,
  });
  const id = operation?.id ?? 'op_';
  const late: string[] = [];

  for (let kill = 0; kill < KILLS; kill += 1) {
    const moment = MOMENTS[kill % MOMENTS.length] ?? null;
    const after = Math.floor(Math.random() * MOST_STEPS);
    const victim = await start({ moment, after, clockAheadMs: kill * LEASE_MS });
    // Candidates who apply meanwhile.
    const name = `Zqlate${kill}xw`;
    const body = submission(employer.jobId, { candidate: candidateOf(name), applicationFormAnswers: null });
    expect((await partner.submit(body)).status).toBe(201);
    late.push(name);
    if (moment === null) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * RANDOM_MS));
      await victim.kill();
    }
    await expect.poll(() => victim.isRunning(), { timeout: ENDED_WITHIN_MS, interval: 10 }).toBe(false);
    const now = await operator.operations.find({ id });
    const erased = gone.people.length - (await countLeft(employer.companyId, id));
    // The progress and the erasures are from the same commits.
    expect([now?.state, now?.counts.done]).toEqual(['running', erased]);
    expect(erased).toBeLessThan(PEOPLE);
  }
  const clockAheadMs = KILLS * LEASE_MS;
  const last = await Promise.all([start({ clockAheadMs }), start({ clockAheadMs })]);
  await expect
    .poll(async () => (await operator.operations.find({ id }))?.state, { timeout: ENDED_WITHIN_MS })
    .toBe('done');
  const waiting = async () => (await host.rows('select application_id from ph_resume_removal')).length;
  await expect.poll(waiting, { timeout: ENDED_WITHIN_MS }).toBe(0);
  await Promise.all(last.map((child) => child.kill()));

  expect((await operator.operations.find({ id }))?.counts).toEqual({ done: PEOPLE, skipped: 0, total: null });
  const keptNames = kept.flatMap(({ people }) => people.map(({ name }) => name));
  expect([...(await storedNames())].toSorted()).toEqual([...keptNames, ...late].toSorted());
  const removals = readFileSync(join(home, 'log'), 'utf8').trim().split('\n');
  expect([...new Set(removals)].toSorted()).toEqual(gone.withResume.toSorted());
  const files = kept.flatMap(({ withResume }) => withResume.map((each) => `${each}.pdf`));
  expect((await readdir(join(home, 'resumes'))).toSorted()).toEqual(files.toSorted());
  const again = removals.length - gone.withResume.length;
  report(
    'SIGKILL while candidates are erased',
    `${KILLS} kills: ${PEOPLE} erased, ${again} removals repeated`,
  );
}, 600_000);

/** A candidate with a name in each text. */
function candidateOf(name: string) {
  return { firstName: name, lastName: name, email: `${name}@example.org`, phone: '+14155550124' };
}

/** Counts the matching applications that are not erased. */
async function countLeft(companyId: CompanyId, id: OperationId): Promise<number> {
  const operation = await fixture.operator.operations.find({ id });
  if (operation?.plan.kind !== 'erase') throw new Error('The operation is not an erasure.');
  const changedBefore = operation.plan.changedBefore ?? 0;
  const { count } = await fixture.operator.candidates.eraseMany({ companyId, changedBefore, dryRun: true });
  return count ?? Number.NaN;
}
