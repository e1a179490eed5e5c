import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CompanyId, JobId, KeyId } from '../../../packages/core/src/domain/ids.js';
import type { JobState } from '../../../packages/core/src/domain/job.js';
import { JOB_ACT_NAMES, JOB_ACTS, type JobAct } from '../../support/job-acts.js';
import { isTaken } from './is-taken.js';
import { openStage, PICKER, type ReadEvent } from './stage.js';

const stage = await openStage();
const { operator } = stage;

const KEYS = 3;
const JOBS = 4;
/** Enough for each pair of commands to meet on one job and key. */
const RUNS = 40;

type Step =
  | { readonly kind: 'access'; readonly key: number; readonly command: 'grant' | 'revoke' }
  | { readonly kind: 'publish'; readonly job: number; readonly state: JobState; readonly internal: boolean }
  | { readonly kind: 'job'; readonly job: number; readonly command: JobAct };

/** A simple model of the rules. */
interface Wanted {
  readonly access: boolean[];
  readonly jobs: ({ state: JobState; internal: boolean } | null)[];
}

const aKey = fc.nat(KEYS - 1);
const aJob = fc.nat(JOBS - 1);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('access' as const),
    key: aKey,
    command: fc.constantFrom('grant' as const, 'revoke' as const),
  }),
  fc.record({
    kind: fc.constant('publish' as const),
    job: aJob,
    state: fc.constantFrom<JobState>('open', 'open', 'closed', 'archived'),
    internal: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('job' as const),
    job: aJob,
    command: fc.constantFrom(...JOB_ACT_NAMES),
  }),
);

it('opened and closed alternate, match what is visible, and have the right reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
      const scene = await openScene();
      for (const step of steps) {
        const before = scene.seenByAll();
        const counts = await scene.eventCounts();
        const wantedReason = await scene.take(step);
        await scene.checkAfter(before, counts, wantedReason);
      }
      await scene.checkHistory();
    }),
    { numRuns: RUNS },
  );
}, 120_000);

/** Creates keys and a company for one run. */
async function openScene() {
  const companyId: CompanyId = await stage.company();
  const keys: KeyId[] = [];
  for (let key = 0; key < KEYS; key += 1) keys.push(await stage.key());
  const ids = Array.from({ length: JOBS }, (_, job): JobId => `job_${companyId.slice(3)}_${job}`);
  const wanted: Wanted = { access: keys.map(() => false), jobs: ids.map(() => null) };

  const sees = (key: number, job: number): boolean => {
    const { state, internal } = wanted.jobs[job] ?? { state: 'closed', internal: true };
    return wanted.access[key] === true && state === 'open' && !internal;
  };
  const seenByAll = () => keys.map((_, key) => ids.map((__, job) => sees(key, job)));
  const eventCounts = () => Promise.all(keys.map(async (key) => (await stage.events(key)).length));

  return {
    seenByAll,
    eventCounts,
    take: (step: Step) => takeStep(step, { companyId, keys, ids, wanted }),
    /** Expects events for exactly the pairs that changed, with the right reason. */
    async checkAfter(before: boolean[][], counts: readonly number[], reason: string | null) {
      for (const [key, keyId] of keys.entries()) {
        const news = (await stage.events(keyId)).slice(counts[key]);
        const told = news
          .map(({ type, data }) => ({ type, jobId: data.jobId, reason: data.reason }))
          .sort((one, other) => String(one.jobId).localeCompare(String(other.jobId)));
        const expected = ids.flatMap((jobId, job) => {
          const [was, is] = [before[key]?.[job], sees(key, job)];
          if (was === is) return [];
          return [is ? { type: 'job.opened', jobId } : { type: 'job.closed', jobId, reason }];
        });
        expect(told).toEqual(expected);
        const visible = (await stage.visible(keyId)).map(({ id }) => id).sort();
        expect(visible).toEqual(ids.filter((_, job) => sees(key, job)));
      }
    },
    async checkHistory() {
      for (const [key, keyId] of keys.entries()) {
        const events = await stage.events(keyId);
        expect(isStrictlyIncreasing(events.map(({ at }) => at))).toBe(true);
        const visible = await stage.visible(keyId);
        expect(isStrictlyIncreasing(visible.map(({ changedAt }) => changedAt))).toBe(true);
        for (const [job, id] of ids.entries()) checkAlternation(events, id, sees(key, job));
      }
    },
  };
}

function checkAlternation(events: readonly ReadEvent[], jobId: JobId, isVisible: boolean): void {
  const types = events.filter(({ data }) => data.jobId === jobId).map(({ type }) => type);
  expect(types).toEqual(types.map((_, index) => (index % 2 === 0 ? 'job.opened' : 'job.closed')));
  expect(types.at(-1) === 'job.opened').toBe(isVisible);
}

interface Cast {
  readonly companyId: CompanyId;
  readonly keys: readonly KeyId[];
  readonly ids: readonly JobId[];
  readonly wanted: Wanted;
}

/** Runs a command and updates the model. Returns the reason of a closing, or null. */
async function takeStep(step: Step, { companyId, keys, ids, wanted }: Cast): Promise<string | null> {
  if (step.kind === 'access') {
    const keyId = keys[step.key] ?? 'key_none';
    const target = { keyId, companyId };
    const { grant, revoke } = operator.access;
    const isDone = await isTaken(step.command === 'grant' ? grant(target) : revoke(target));
    if (isDone) wanted.access[step.key] = step.command === 'grant';
    return 'access_revoked';
  }
  const id = ids[step.job] ?? 'job_none';
  if (step.kind === 'publish') {
    const { state, internal } = step;
    const isDone = await isTaken(
      operator.jobs.publish({ ...PICKER, id, companyId, state, internalOnly: internal }),
    );
    expect(isDone).toBe(wanted.jobs[step.job] === null);
    if (isDone) wanted.jobs[step.job] = { state, internal };
    return null;
  }
  const isDone = await isTaken(JOB_ACTS[step.command](operator.jobs, id));
  const job = wanted.jobs[step.job];
  if (isDone && job) wanted.jobs[step.job] = after(job, step.command);
  return step.command === 'hide' ? 'internal_sourcing_only' : 'closed_by_customer';
}

function after(job: { state: JobState; internal: boolean }, command: JobAct) {
  switch (command) {
    case 'close':
      return { ...job, state: 'closed' as const };
    case 'archive':
      return { ...job, state: 'archived' as const };
    case 'reopen':
    case 'unarchive':
      return { ...job, state: 'open' as const };
    case 'hide':
      return { ...job, internal: true };
    case 'show':
      return { ...job, internal: false };
  }
}

function isStrictlyIncreasing(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}
