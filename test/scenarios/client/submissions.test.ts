/** The client submits each candidate exactly once, despite any failure. */

import {
  createMemorySubmissionStore,
  PartnerApiError,
  SubmissionConflictError,
  SubmissionPendingError,
} from '@partner-hiring/client';
import { collect } from '@partner-hiring/test-support/client/collect';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { candidate } from './candidate.js';
import type { Fate } from './network.js';
import { type ClientStage, openClientStage } from './stage.js';

const HOUR_MS = 60 * 60 * 1_000;

let stage: ClientStage;
let jobId: string;
let companyId: `co_${string}`;
beforeEach(async () => {
  stage = await openClientStage({ limits: { submit_application: 1_000_000, list_applications: 1_000_000 } });
  ({ jobId, companyId } = await stage.employer());
});
afterEach(() => stage.close());

/** Returns the rejection of a promise. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return stage.during(
    work.then(
      () => null,
      (error: unknown) => error,
    ),
  );
}

/** Expects every attempt to have the same key and bytes. */
function expectOneKeyAndBody(sourceApplicationId: string): void {
  const attempts = stage.exchanges.filter(({ body }) => body?.includes(`"${sourceApplicationId}"`));
  expect(new Set(attempts.map(({ idempotencyKey, body }) => `${idempotencyKey} ${body}`)).size).toBe(1);
}

describe('a submission', () => {
  it.each<[Fate, string]>([
    ['lost_before', 'created'],
    ['hangs_before', 'created'],
    ['503_instead', 'created'],
    ['lost_after', 'replayed'],
    ['body_lost', 'replayed'],
    ['garbage_after', 'replayed'],
    ['503_after', 'replayed'],
    ['hangs_after', 'replayed'],
  ])('is retried with the same key and bytes after %s: %s', async (fate, outcome) => {
    stage.plan(fate);
    const submitted = await stage.during(stage.client().applications.submit(candidate(jobId, 'ats-1')));
    expect(submitted.outcome).toBe(outcome);
    expect(submitted.requestId).toEqual(expect.any(String));
    expect(await stage.applications()).toMatchObject([
      { id: submitted.application.id, sourceApplicationId: 'ats-1' },
    ]);
    expect(stage.exchanges.filter(({ method }) => method === 'POST')).toHaveLength(2);
    expectOneKeyAndBody('ats-1');
  });

  it('creates one application, despite failing attempts, processes and calls', async () => {
    const fate = fc.constantFrom<Fate>(
      ...(['arrives', 'lost_before', 'lost_after', 'body_lost', '503_after', '503_instead'] as const),
    );
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 12, size: 'max' }),
        fc.integer({ min: 1, max: 3 }),
        async (plan, attempts) => {
          made += 1;
          const id = `many-${made}`;
          stage.plan(...plan);
          // Each round is a new process with a short timeout on the shared store.
          for (;;) {
            const { applications } = stage.client({ maxAttempts: attempts });
            const failure = await failureOf(
              Promise.all([1, 2].map(() => applications.submit(candidate(jobId, id)))),
            );
            if (failure === null) break;
            expect(failure).toBeInstanceOf(SubmissionPendingError);
          }
          const found = (await stage.applications()).filter((row) => row.sourceApplicationId === id);
          expect(found).toHaveLength(1);
          expectOneKeyAndBody(id);
        },
      ),
      { numRuns: 25 },
    );
    // Only the keys have prevented duplicates.
    expect(stage.exchanges.filter(({ answered }) => answered === 409)).toEqual([]);
  });

  it('of an earlier process is continued', async () => {
    stage.plan('hangs_after');
    const ending = new AbortController();
    const work = stage.client().applications.submit(candidate(jobId, 'ats-1'), { signal: ending.signal });
    setTimeout(() => ending.abort(new Error('The process ends.')), 5);
    expect(await failureOf(work)).toEqual(new Error('The process ends.'));

    const { applications } = stage.client();
    expect(await stage.during(collect(applications.resumePending()))).toMatchObject([
      { kind: 'submitted', sourceApplicationId: 'ats-1', submitted: { outcome: 'replayed' } },
    ]);
    expect(await stage.during(collect(applications.resumePending()))).toEqual([]);
    expect(await stage.applications()).toHaveLength(1);
  });

  it('is found by its sourceApplicationId after its key has expired', async () => {
    stage.plan('lost_after');
    const first = stage.client({ maxAttempts: 1 }).applications.submit(candidate(jobId, 'ats-1'));
    expect(await failureOf(first)).toBeInstanceOf(SubmissionPendingError);
    await stage.fixture.clock.advance(25 * HOUR_MS);

    const [resumed] = await stage.during(collect(stage.client().applications.resumePending()));
    const [only, ...more] = await stage.applications();
    expect(more).toEqual([]);
    expect(resumed).toMatchObject({
      kind: 'submitted',
      submitted: { outcome: 'found', application: only && { id: only.id } },
    });
  });

  it('is not sent again after it was submitted, whatever the order of its fields', async () => {
    const { applications } = stage.client();
    const submission = candidate(jobId, 'ats-1', { applicationFormAnswers: {}, source: 'careers' });
    const first = await stage.during(applications.submit(submission));
    const reversed = Object.fromEntries(Object.entries(submission).reverse()) as typeof submission;
    const sent = stage.exchanges.length;
    const second = await stage.during(applications.submit(reversed));
    expect(second).toEqual({ ...first, outcome: 'known', requestId: null });
    expect(stage.exchanges).toHaveLength(sent);
    expect(
      JSON.stringify(await stage.store.find(`https://api.example.org/api/v1/external pek_live\nats-1`)),
    ).not.toContain('ada@example.org');
  });

  it('prevents different content under its sourceApplicationId', async () => {
    stage.plan('lost_before');
    const client = stage.client({ maxAttempts: 1 });
    await failureOf(client.applications.submit(candidate(jobId, 'ats-1')));
    const other = candidate(jobId, 'ats-1', { source: 'another' });
    expect(await failureOf(client.applications.submit(other))).toEqual(
      new SubmissionConflictError('ats-1', false),
    );
    await stage.during(collect(client.applications.resumePending()));
    expect(await failureOf(client.applications.submit(other))).toEqual(
      new SubmissionConflictError('ats-1', true),
    );
    expect(await stage.applications()).toHaveLength(1);
  });

  it('of the sandbox is separate from one of production', async () => {
    const sandbox = await stage.client({ apiKey: `pek_test_${'x'.repeat(49)}` });
    expect(await failureOf(sandbox.applications.submit(candidate(jobId, 'ats-1')))).toBeInstanceOf(
      SubmissionPendingError,
    );
    const { applications } = stage.client();
    expect(await stage.during(collect(applications.resumePending()))).toEqual([]);
    expect(await stage.during(applications.submit(candidate(jobId, 'ats-1')))).toMatchObject({
      outcome: 'created',
    });
  });
});

describe('a refusal', () => {
  it('is final, lists the errors, and allows a corrected submission with the same sourceApplicationId', async () => {
    const { applications } = stage.client();
    const wrong = candidate(jobId, 'ats-1', {
      candidate: { firstName: 'Ada', lastName: 'L', email: 'no address', phone: '+14155550123' },
    });
    const refusal = await failureOf(applications.submit(wrong));
    expect(refusal).toBeInstanceOf(PartnerApiError);
    expect(refusal).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 422,
      requestId: expect.any(String),
      fieldErrors: [{ field: 'candidate.email', code: 'invalid_format' }],
    });
    expect(await stage.during(collect(applications.resumePending()))).toEqual([]);
    expect(await stage.during(applications.submit(candidate(jobId, 'ats-1')))).toMatchObject({
      outcome: 'created',
    });
  });

  it.each([
    ['JOB_CLOSED', () => stage.fixture.operator.jobs.close({ id: jobId as `job_${string}` })],
    ['ACCESS_REVOKED', () => stage.fixture.operator.access.revoke({ keyId: stage.partner.keyId, companyId })],
  ])('with %s does not apply to a submission that was accepted before', async (code, change) => {
    stage.plan('lost_after');
    const client = stage.client({ maxAttempts: 1 });
    await failureOf(client.applications.submit(candidate(jobId, 'accepted')));
    await change();
    expect(await failureOf(client.applications.submit(candidate(jobId, 'too-late')))).toMatchObject({ code });
    expect(await stage.during(collect(client.applications.resumePending()))).toMatchObject([
      { kind: 'submitted', sourceApplicationId: 'accepted', submitted: { outcome: 'replayed' } },
    ]);
  });

  it('of the key leaves the submission pending until the key is right', async () => {
    stage.plan('lost_after');
    await failureOf(stage.client({ maxAttempts: 1 }).applications.submit(candidate(jobId, 'ats-1')));
    const { secret } = await stage.fixture.operator.keys.rotate({ id: stage.partner.keyId, overlapMs: 0 });
    const [refused] = await stage.during(collect(stage.client().applications.resumePending()));
    expect(refused).toMatchObject({ kind: 'pending', error: { cause: { code: 'UNAUTHORIZED' } } });
    const [resumed] = await stage.during(
      collect(stage.client({ apiKey: secret }).applications.resumePending()),
    );
    expect(resumed).toMatchObject({ kind: 'submitted', submitted: { outcome: 'replayed' } });
  });

  it('of an unknown sourceApplicationId names the application that has it', async () => {
    const first = await stage.during(stage.client().applications.submit(candidate(jobId, 'ats-1')));
    const elsewhere = stage.client({ submissions: createMemorySubmissionStore() });
    const refusal = await failureOf(elsewhere.applications.submit(candidate(jobId, 'ats-1')));
    expect(refusal).toBeInstanceOf(PartnerApiError);
    expect(refusal).toMatchObject({
      code: 'DUPLICATE_SOURCE_APPLICATION_ID',
      applicationId: first.application.id,
    });
  });

  it('of a sourceApplicationId with another job is reported, even after a lost attempt', async () => {
    const other = await stage.employer();
    await stage.during(stage.client().applications.submit(candidate(other.jobId, 'ats-1')));
    stage.plan('lost_before');
    const elsewhere = stage.client({ submissions: createMemorySubmissionStore() });
    expect(await failureOf(elsewhere.applications.submit(candidate(jobId, 'ats-1')))).toMatchObject({
      code: 'DUPLICATE_SOURCE_APPLICATION_ID',
    });
  });
});

it('that a gateway stores and answers with a page is found when it is given up', async () => {
  stage.plan('403_page_after');
  const { applications } = stage.client();
  expect(await failureOf(applications.submit(candidate(jobId, 'ats-1')))).toMatchObject({
    reason: 'foreign_answer',
  });
  const [stored] = await stage.applications();
  // Another process gives it up, while this one tries to replace it.
  const [abandoned, replaced] = await stage.during(
    Promise.allSettled([
      stage.client().applications.abandon('ats-1'),
      applications.submit({ ...candidate(jobId, 'ats-1'), source: 'corrected' }, { replace: true }),
    ]),
  );
  expect(abandoned).toMatchObject({ value: { kind: 'submitted', application: { id: stored?.id } } });
  expect(replaced).toMatchObject({ reason: { name: 'SubmissionConflictError', isSubmitted: true } });
  expect(await stage.applications()).toHaveLength(1);
});

describe('a store', () => {
  it('that cannot add a submission prevents its request', async () => {
    const submissions = { ...stage.store, add: () => Promise.reject(new Error('The disk is full.')) };
    const work = stage.client({ submissions }).applications.submit(candidate(jobId, 'ats-1'));
    expect(await failureOf(work)).toEqual(new Error('The disk is full.'));
    expect(stage.exchanges).toEqual([]);
  });

  it('that cannot save the acceptance leaves it pending', async () => {
    const submissions = { ...stage.store, settle: () => Promise.reject(new Error('The disk is full.')) };
    const work = stage.client({ submissions }).applications.submit(candidate(jobId, 'ats-1'));
    expect(await failureOf(work)).toBeInstanceOf(SubmissionPendingError);
    expect(await stage.during(collect(stage.client().applications.resumePending()))).toMatchObject([
      { kind: 'submitted', submitted: { outcome: 'replayed' } },
    ]);
    expect(await stage.applications()).toHaveLength(1);
  });
});

it('rejects a submission without a sourceApplicationId before it is stored or sent', async () => {
  const without = candidate(jobId, '');
  expect(await failureOf(stage.client().applications.submit(without))).toBeInstanceOf(TypeError);
  expect(stage.exchanges).toEqual([]);
});
