import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CompanyId, JobId, KeyId } from '../../../packages/core/src/domain/ids.js';
import type { JobState } from '../../../packages/core/src/domain/job.js';
import { LEASE_MS } from '../../../packages/core/src/features/jobs-sync/sync-state.js';
import type { SourceJob } from '../../../packages/core/src/groups/jobs/source-job.js';
import { JOB_ACT_NAMES, JOB_ACTS, type JobAct } from '../../support/job-acts.js';
import { isTaken } from './is-taken.js';
import { openStage, PICKER, type ReadEvent } from './stage.js';

const stage = await openStage();
const { operator, clock } = stage;

const KEYS = 3;
const JOBS = 5;
const COMPANIES = 2;
/** Enough for each pair of steps to meet on one job. */
const RUNS = 25;

/** A row of the source: its job, its company, and a title that stands for its details. */
interface Row {
  readonly job: number;
  readonly company: number;
  readonly title: number;
}

type Step =
  | { readonly kind: 'access'; readonly key: number; readonly company: number; readonly isGrant: boolean }
  | { readonly kind: 'command'; readonly job: number; readonly command: JobAct }
  | ({ readonly kind: 'put' } & Row)
  /** `dies` is the number of rows after which the process of the run dies. Null if it lives. */
  | {
      readonly kind: 'sync';
      readonly rows: readonly Row[];
      readonly dies: number | null;
      readonly isVersioned: boolean;
    };

interface Wanted {
  company: number;
  state: JobState;
  internal: boolean;
  title: number;
  isOwned: boolean;
}

const aJob = fc.nat(JOBS - 1);
const aCompany = fc.nat(COMPANIES - 1);
const aRow = fc.record({ job: aJob, company: aCompany, title: fc.nat(1) });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('access' as const),
    key: fc.nat(KEYS - 1),
    company: aCompany,
    isGrant: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('command' as const),
    job: aJob,
    command: fc.constantFrom(...JOB_ACT_NAMES),
  }),
  fc.record({ kind: fc.constant('put' as const), job: aJob, company: aCompany, title: fc.nat(1) }),
  fc.record({
    kind: fc.constant('sync' as const),
    rows: fc.uniqueArray(aRow, { minLength: 1, maxLength: JOBS, selector: ({ job }) => job }),
    dies: fc.option(fc.nat(JOBS), { freq: 4 }),
    isVersioned: fc.boolean(),
  }),
);

it('each key sees exactly the jobs that it may see, and has got exactly the events that explain it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 20, size: 'max' }), async (steps) => {
      const scene = await openScene();
      for (const step of steps) {
        await clock.advance(1);
        await scene.take(step);
        await scene.check();
      }
      await scene.end();
    }),
    { numRuns: RUNS },
  );
}, 120_000);

async function openScene() {
  const companies: CompanyId[] = [];
  for (let company = 0; company < COMPANIES; company += 1) companies.push(await stage.company());
  const keys: KeyId[] = [];
  for (let key = 0; key < KEYS; key += 1) keys.push(await stage.key());
  const ids = Array.from({ length: JOBS }, (_, job): JobId => `job_${companies[0]?.slice(3)}_${job}`);
  const access = keys.map(() => companies.map(() => false));
  const jobs: (Wanted | null)[] = ids.map(() => null);
  const sees = (key: number, job: number): number | null => {
    const wanted = jobs[job] ?? null;
    if (wanted === null || wanted.state !== 'open' || wanted.internal) return null;
    return access[key]?.[wanted.company] === true ? wanted.company : null;
  };
  /** Where each key knows each job: the company of the last `job.opened`, or null. */
  const known = keys.map(() => ids.map((): number | null => null));
  const read = keys.map(() => 0);

  const source = ({ job, company, title }: Row, isVersioned: boolean): SourceJob => ({
    ...PICKER,
    id: ids[job] ?? 'job_none',
    companyId: companies[company] ?? 'co_none',
    title: `Title ${title}`,
    version: isVersioned ? `${company}.${title}` : undefined,
  });

  async function sync({ rows, dies, isVersioned }: Extract<Step, { kind: 'sync' }>): Promise<void> {
    if (dies !== null && dies < rows.length) {
      // The process neither goes on nor ends its run.
      const [died, asked] = [new Promise<never>(() => {}), noted()];
      async function* dying() {
        for (const row of rows.slice(0, dies ?? 0)) yield source(row, isVersioned);
        asked.note();
        await died;
      }
      void operator.jobs.syncs.run(dying()).catch(() => {});
      await asked.done;
      clock.suspend(LEASE_MS + 1);
      // A worker ends the run, before a timer of the process that is not really dead renews its lease.
      expect(await stage.stepper().step()).toMatchObject({ operation: { state: 'failed' } });
      return;
    }
    const result = await operator.jobs.syncs.run(rows.map((row) => source(row, isVersioned)));
    expect(result.state).toBe('done');
    const isRead = new Set(rows.map(({ job }) => job));
    for (const { job, company, title } of rows) {
      const internal = jobs[job]?.internal ?? false;
      jobs[job] = { company, title, state: 'open', internal, isOwned: true };
    }
    for (const [job, wanted] of jobs.entries()) {
      if (wanted?.isOwned === true && wanted.state === 'open' && !isRead.has(job)) wanted.state = 'closed';
    }
  }

  async function take(step: Step): Promise<void> {
    if (step.kind === 'sync') return sync(step);
    if (step.kind === 'access') {
      const target = { keyId: keys[step.key] ?? 'key_none', companyId: companies[step.company] ?? 'co_none' };
      const isDone = await isTaken(
        step.isGrant ? operator.access.grant(target) : operator.access.revoke(target),
      );
      const own = access[step.key];
      if (isDone && own !== undefined) own[step.company] = step.isGrant;
      return;
    }
    const id = ids[step.job] ?? 'job_none';
    if (step.kind === 'put') {
      const { company, title } = step;
      await operator.jobs.put({
        ...PICKER,
        id,
        companyId: companies[company] ?? 'co_none',
        title: `Title ${title}`,
      });
      const before = jobs[step.job];
      const kept = before ?? { state: 'open' as const, internal: false, isOwned: false };
      jobs[step.job] = { ...kept, company, title };
      return;
    }
    const isDone = await isTaken(JOB_ACTS[step.command](operator.jobs, id));
    const wanted = jobs[step.job];
    if (isDone && wanted) change(wanted, step.command);
  }

  /** Compares each key's jobs and new events with the model. */
  async function check(): Promise<void> {
    for (const [key, keyId] of keys.entries()) {
      const all = await stage.events(keyId);
      const news = all.slice(read[key]);
      read[key] = all.length;
      expect(news.map(toldOf).toSorted()).toEqual(expectedOf(key).toSorted());
      const visible = (await stage.visible(keyId)).map(({ id }) => id).toSorted();
      expect(visible).toEqual(ids.filter((_, job) => sees(key, job) !== null));
    }
    const stored = await stage.storage.direct.jobs.find(ids);
    expect(stored.map((job) => job?.title ?? null)).toEqual(
      jobs.map((wanted) => (wanted === null ? null : `Title ${wanted.title}`)),
    );
  }

  function expectedOf(key: number): readonly string[] {
    return ids.flatMap((id, job) => {
      const [was, is] = [known[key]?.[job] ?? null, sees(key, job)];
      const own = known[key];
      // A key that still sees a moved job learns of the move from the list.
      if (own !== undefined) own[job] = is;
      if ((was === null) === (is === null)) return [];
      return [is === null ? `job.closed ${id} ${companies[was ?? 0]}` : `job.opened ${id} ${companies[is]}`];
    });
  }

  return {
    take,
    check,
    /** The runs of the next scene own none of these jobs. */
    async end() {
      const made = ids.flatMap((id, job) => (jobs[job] === null ? [] : [{ id }]));
      await operator.jobs.archive(made);
      await clock.advance(LEASE_MS);
    },
  };
}

function noted() {
  let note: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    note = resolve;
  });
  return { done, note };
}

function toldOf({ type, data }: ReadEvent): string {
  return `${type} ${data.jobId} ${data.companyId}`;
}

function change(job: Wanted, command: JobAct): void {
  if (command === 'close') job.state = 'closed';
  else if (command === 'archive') job.state = 'archived';
  else if (command === 'reopen' || command === 'unarchive') job.state = 'open';
  else job.internal = command === 'hide';
}
