import { expect, test } from 'vitest';
import type { ApplicationId, KeyId } from '../../domain/ids.js';
import type { Runner, Scope } from '../../operator/scope.js';
import { createSandboxStepper } from './commands.js';
import { SANDBOX_JOB_NAMES, type SandboxJobName, sandboxJobId } from './job-rules.js';

const KEY_ID: KeyId = 'key_1';
const GONE: ApplicationId = 'ej_app_gone';
const idOf = (name: SandboxJobName) => sandboxJobId(KEY_ID, name);

/** A stepper over a sandbox with an application to each job. Jobs may be missing or archived. One application is gone. */
function createStage({
  missing = [],
  archived = [],
}: {
  missing?: readonly SandboxJobName[];
  archived?: readonly SandboxJobName[];
} = {}) {
  const isAmong = (names: readonly SandboxJobName[], id: string) => names.some((name) => idOf(name) === id);
  const asked: string[] = [];
  const note = <Answer>(name: string, answer: Answer) => {
    asked.push(name);
    return Promise.resolve(answer);
  };
  const repositories = {
    keys: { findForUpdate: () => note('key, locked', null) },
    companies: { findForUpdate: () => note('company, locked', [{}]) },
    jobs: {
      find: (ids: readonly string[]) =>
        note(
          'jobs',
          ids.map((id) =>
            isAmong(missing, id)
              ? null
              : { id, state: isAmong(archived, id) ? 'archived' : 'open', internalOnly: false },
          ),
        ),
    },
    access: { find: () => note('access', { revokedAt: null }) },
    keyJobs: {
      listOfCompany: () =>
        note(
          'key jobs',
          SANDBOX_JOB_NAMES.map((name) => ({ jobId: idOf(name), visible: true, changedAt: 1_000 })),
        ),
    },
    applications: {
      page: () =>
        note('page', { rows: [{ id: GONE, status: 'received', changedAt: 5 }], hasMore: false, head: 9 }),
      find: (ids: readonly string[]) =>
        note(
          'applications',
          ids.map(() => null),
        ),
      findForUpdate: () => note('application, locked', [null]),
      listNewest: () => note('arrivals', [{ submittedAt: 2_000 }]),
    },
  };
  const scope = { tx: repositories, now: async () => 0 } as unknown as Scope;
  const stepper = createSandboxStepper({
    read: repositories,
    run: (_act: unknown, command: (scope: Scope) => Promise<unknown>) => command(scope),
  } as unknown as Runner);
  return { stepper, asked };
}

const LEAVING = ['closing', 'hiding', 'leaving'].map((name) => ({
  kind: 'job',
  keyId: KEY_ID,
  name,
  dueAt: 5_000,
}));

test('plans steps for jobs that leave, and none for a deleted application', async () => {
  const { stepper } = createStage();
  expect(await stepper.plan(KEY_ID, 0)).toEqual({ steps: LEAVING, through: 9, hasMore: false });
});

test('plans steps despite an archived and a missing job', async () => {
  const { stepper } = createStage({ archived: ['closing'], missing: ['leaving'] });
  expect((await stepper.plan(KEY_ID, 0)).steps).toEqual([LEAVING[1]]);
});

test('does nothing for a step of an archived job or a deleted application', async () => {
  const { stepper } = createStage({ archived: ['closing'] });
  expect(await stepper.take({ kind: 'job', keyId: KEY_ID, name: 'closing', dueAt: 0 })).toBeNull();
  expect(await stepper.take({ kind: 'application', id: GONE, dueAt: 0 })).toBeNull();
});

test('decides a job under the lock of its company, and returns when it is due', async () => {
  const { stepper, asked } = createStage();
  expect(await stepper.take({ kind: 'job', keyId: KEY_ID, name: 'closing', dueAt: 0 })).toBe(5_000);
  expect(asked[0]).toBe('company, locked');
});

test('prepares a sandbox under the lock of its key, only if a job is missing', async () => {
  const complete = createStage();
  await complete.stepper.prepare(KEY_ID);
  expect(complete.asked).toEqual(['jobs']);
  const lacking = createStage({ missing: ['former'] });
  await expect(lacking.stepper.prepare(KEY_ID)).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  expect(lacking.asked).toEqual(['jobs', 'key, locked']);
});
