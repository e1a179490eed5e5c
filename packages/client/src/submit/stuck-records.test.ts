/** Records that no answer settles, and records that are older than the service's keys. */
import { collect } from '@partner-hiring/test-support/client/collect';
import { clientOf, reply, SUBMISSION } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, it } from 'vitest';
import {
  createMemorySubmissionStore,
  type Fetch,
  type FetchResponse,
  type NewSubmission,
  type PendingSubmission,
  type SubmissionStore,
} from '../index.js';

const APPLICATION = {
  id: 'ej_app_1',
  sourceApplicationId: 'ats-1',
  jobId: 'job_1',
  status: 'received',
  currentStage: 'Initial Outreach',
  submittedAt: '2026-11-21T09:00:00.000Z',
  lastStatusChangeAt: '2026-11-21T09:00:00.000Z',
};
const SCOPE = 'https://api.example.org/api/v1/external pek_test';
const HOUR_MS = 3_600_000;

const listOf = (...data: readonly object[]) => reply(200, { data });
const refusal = (status: number, error: string, details: object = {}) =>
  reply(status, { error, message: 'No.', details });
const BLOCKED = reply(403, '<html>Request blocked</html>');

type Step = FetchResponse | 'lost';

function storyOf(steps: readonly Step[], store: SubmissionStore = createMemorySubmissionStore()) {
  const left = [...steps];
  const requests: string[] = [];
  const bodies: string[] = [];
  const fetch: Fetch = async (url, { method, body }) => {
    const { pathname, search } = new URL(url);
    requests.push(`${method} ${pathname.split('/external')[1]}${search}`);
    if (body !== undefined) bodies.push(body);
    const step = left.shift() ?? reply(500, '');
    if (step === 'lost') throw new TypeError('fetch failed');
    return step;
  };
  const { applications } = clientOf(fetch, { submissions: store, maxAttempts: 2 });
  const pending = () => store.listPending(SCOPE) as Promise<readonly PendingSubmission[]>;
  return { applications, store, requests, bodies, pending };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a pending submission says why', () => {
  it.each([
    [[BLOCKED], 'foreign_answer', false],
    [[reply(400, '<html>')], 'foreign_answer', false],
    [[reply(413, '<html>')], 'foreign_answer', false],
    [[refusal(404, 'NOT_FOUND')], 'foreign_answer', false],
    [[refusal(401, 'UNAUTHORIZED')], 'unauthorized', true],
    [['lost', refusal(401, 'UNAUTHORIZED')], 'unauthorized', false],
    [['lost', 'lost'], 'no_answer', false],
    [[reply(503, ''), reply(503, '')], 'no_answer', false],
    [[reply(201, '<html>'), reply(201, '<html>')], 'no_answer', false],
  ] as [Step[], string, boolean][])('after %j that it is %s', async (steps, reason, isNothingStored) => {
    const { applications, pending } = storyOf(steps);
    const error = await failureOf(applications.submit(SUBMISSION));
    expect(error).toMatchObject({ name: 'SubmissionPendingError', reason });
    expect(String(error).includes('has stored nothing')).toBe(isNothingStored);
    expect(await pending()).toHaveLength(1);
  });

  it('and does not say that nothing was stored if an earlier call may have sent it', async () => {
    const { applications } = storyOf(['lost', 'lost', refusal(401, 'UNAUTHORIZED')]);
    await failureOf(applications.submit(SUBMISSION));
    const error = await failureOf(applications.submit(SUBMISSION));
    expect(error).toMatchObject({ reason: 'unauthorized' });
    expect(String(error)).not.toContain('has stored nothing');
  });

  it('also if the store fails', async () => {
    const settle = () => Promise.reject(new Error('The disk is full.'));
    const { applications } = storyOf([reply(201, APPLICATION)], { ...createMemorySubmissionStore(), settle });
    expect(await failureOf(applications.submit(SUBMISSION))).toMatchObject({ reason: 'store' });
  });
});

describe('a submission that is given up', () => {
  it('is removed with its personal data if the service does not have it', async () => {
    const other = { ...APPLICATION, sourceApplicationId: 'ats-2' };
    const { applications, requests, pending } = storyOf([BLOCKED, listOf(other)]);
    await failureOf(applications.submit(SUBMISSION));
    const [record] = await pending();
    expect(await applications.abandon('ats-1')).toEqual({ kind: 'removed' });
    expect(await pending()).toEqual([]);
    const since = new URL(requests[1] ?? '', 'https://x').searchParams.get('updated_since') ?? '';
    expect(Date.parse(since)).toBe((record?.createdAt ?? 0) - 24 * HOUR_MS);
  });

  it('is settled if the service has it', async () => {
    const { applications, pending } = storyOf([BLOCKED, listOf(APPLICATION)]);
    await failureOf(applications.submit(SUBMISSION));
    const application = { id: 'ej_app_1', createdAt: APPLICATION.submittedAt };
    expect(await applications.abandon('ats-1')).toMatchObject({ kind: 'submitted', application });
    expect(await pending()).toEqual([]);
    expect(await applications.submit(SUBMISSION)).toMatchObject({ outcome: 'known', application });
    expect(await applications.abandon('ats-1')).toMatchObject({ kind: 'submitted', application });
  });

  it('stays if the list cannot be read, and is unknown if nobody has submitted it', async () => {
    const { applications, pending } = storyOf([BLOCKED, BLOCKED]);
    await failureOf(applications.submit(SUBMISSION));
    await expect(applications.abandon('ats-1')).rejects.toMatchObject({ code: 'HTTP_403' });
    expect(await pending()).toHaveLength(1);
    expect(await applications.abandon('ats-7')).toEqual({ kind: 'unknown' });
  });
});

describe('a submission that replaces another', () => {
  const CORRECTED = { ...SUBMISSION, source: 'corrected' };

  it('is sent under a new key, after a look for the old one', async () => {
    const { applications, pending, bodies } = storyOf([BLOCKED, listOf(), reply(201, APPLICATION)]);
    await failureOf(applications.submit(SUBMISSION));
    const [old] = await pending();
    await expect(applications.submit(CORRECTED)).rejects.toThrow('pass replace: true');
    const { outcome, idempotencyKey } = await applications.submit(CORRECTED, { replace: true });
    expect(outcome).toBe('created');
    expect(idempotencyKey).not.toBe(old?.idempotencyKey);
    expect(bodies.at(-1)).toContain('corrected');
  });

  it('is a conflict if the old one had arrived', async () => {
    const { applications } = storyOf([BLOCKED, listOf(APPLICATION)]);
    await failureOf(applications.submit(SUBMISSION));
    const replaced = applications.submit(CORRECTED, { replace: true });
    await expect(replaced).rejects.toMatchObject({ name: 'SubmissionConflictError', isSubmitted: true });
  });

  it('is never found where the old one arrives late, also by another process', async () => {
    const duplicate = refusal(409, 'DUPLICATE_SOURCE_APPLICATION_ID', { applicationId: 'ej_app_1' });
    const { applications, store } = storyOf([BLOCKED, listOf(), 'lost', duplicate]);
    await failureOf(applications.submit(SUBMISSION));
    const replaced = applications.submit(CORRECTED, { replace: true });
    await expect(replaced).rejects.toMatchObject({ code: 'DUPLICATE_SOURCE_APPLICATION_ID' });
    const again = storyOf([listOf(), 'lost', 'lost'], store);
    await failureOf(again.applications.submit(CORRECTED, { replace: true }));
    const next = storyOf([duplicate], store);
    expect(await collect(next.applications.resumePending())).toMatchObject([
      { kind: 'refused', error: { code: 'DUPLICATE_SOURCE_APPLICATION_ID' } },
    ]);
  });

  it('continues under its key if it is asked for again', async () => {
    const { applications, store } = storyOf([BLOCKED, listOf(), 'lost', 'lost']);
    await failureOf(applications.submit(SUBMISSION));
    await failureOf(applications.submit(CORRECTED, { replace: true }));
    const again = storyOf([reply(201, APPLICATION)], store);
    const [record] = await again.pending();
    const { idempotencyKey } = await again.applications.submit(CORRECTED, { replace: true });
    expect([idempotencyKey, again.requests]).toEqual([record?.idempotencyKey, ['POST /applications']]);
  });

  it('is not settled by `abandon`, because the application may have the old content', async () => {
    const { applications, store } = storyOf([BLOCKED, listOf(), 'lost', 'lost', listOf(APPLICATION)]);
    await failureOf(applications.submit(SUBMISSION));
    await failureOf(applications.submit(CORRECTED, { replace: true }));
    const application = { id: 'ej_app_1', createdAt: APPLICATION.submittedAt };
    expect(await applications.abandon('ats-1')).toMatchObject({ kind: 'submitted', application });
    const duplicate = refusal(409, 'DUPLICATE_SOURCE_APPLICATION_ID', { applicationId: 'ej_app_1' });
    const again = storyOf([duplicate], store).applications.submit(CORRECTED);
    await expect(again).rejects.toMatchObject({ code: 'DUPLICATE_SOURCE_APPLICATION_ID' });
  });

  it('is not found by a process that still sends the old content', async () => {
    const store = createMemorySubmissionStore();
    await failureOf(storyOf(['lost', 'lost'], store).applications.submit(SUBMISSION));
    const replacing = storyOf([listOf(), reply(201, APPLICATION)], store).applications;
    const duplicate = refusal(409, 'DUPLICATE_SOURCE_APPLICATION_ID', { applicationId: 'ej_app_1' });
    const fetch: Fetch = async (_, { method }) => {
      if (method === 'GET') return reply(200, APPLICATION);
      await replacing.submit(CORRECTED, { replace: true });
      return duplicate;
    };
    const { applications } = clientOf(fetch, { submissions: store });
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
      code: 'DUPLICATE_SOURCE_APPLICATION_ID',
    });
    expect(await replacing.submit(CORRECTED)).toMatchObject({ outcome: 'known' });
  });
});

describe('a record that was first sent more than 23 hours ago', () => {
  async function oldStory(ageHours: number | null, ...steps: readonly Step[]) {
    const store = createMemorySubmissionStore();
    const first = storyOf(['lost', 'lost'], store);
    await failureOf(first.applications.submit(SUBMISSION));
    const [record] = await first.pending();
    if (record === undefined) throw new Error('No record.');
    await store.remove(record);
    const { createdAt = 0, ...rest } = record;
    await store.add(ageHours === null ? rest : { ...rest, createdAt: createdAt - ageHours * HOUR_MS });
    return storyOf(steps, store);
  }
  it.each([
    [422, 'VALIDATION_ERROR'],
    [404, 'JOB_NOT_FOUND'],
    [403, 'ACCESS_REVOKED'],
    [409, 'JOB_CLOSED'],
  ])('is found in the list although the answer is %d %s', async (status, code) => {
    for (const ageHours of [24, null]) {
      const { applications } = await oldStory(ageHours, refusal(status, code), listOf(APPLICATION));
      expect(await collect(applications.resumePending())).toMatchObject([
        { kind: 'submitted', submitted: { outcome: 'found', application: { id: 'ej_app_1' } } },
      ]);
    }
  });

  it('is refused if it is not in the list, and stays pending if the list cannot be read', async () => {
    const refused = await oldStory(24, refusal(409, 'JOB_CLOSED'), listOf());
    expect(await collect(refused.applications.resumePending())).toMatchObject([{ kind: 'refused' }]);
    const unread = await oldStory(24, refusal(409, 'JOB_CLOSED'), BLOCKED);
    expect(await collect(unread.applications.resumePending())).toMatchObject([{ kind: 'pending' }]);
    expect(await unread.pending()).toHaveLength(1);
  });

  it('is not looked for if it is younger', async () => {
    const young = await oldStory(22, refusal(409, 'JOB_CLOSED'));
    expect(await collect(young.applications.resumePending())).toMatchObject([{ kind: 'refused' }]);
    expect(young.requests).toHaveLength(1);
  });
});

it('an object that is used again is sent as it was at each call', async () => {
  const sent: string[] = [];
  const fetch: Fetch = async (_, { body = '' }) => {
    const { sourceApplicationId, candidate } = JSON.parse(body) as NewSubmission;
    sent.push(`${sourceApplicationId} ${candidate.firstName}`);
    return reply(201, { ...APPLICATION, id: `ej_app_${sourceApplicationId}`, sourceApplicationId });
  };
  const { applications } = clientOf(fetch, {});
  const candidate: Record<keyof NewSubmission['candidate'], string> = { ...SUBMISSION.candidate };
  const payload = { ...SUBMISSION, sourceApplicationId: '', candidate };
  const calls = [1, 2, 3, 4, 5].map((row) => {
    candidate.firstName = `Ada ${row}`;
    payload.sourceApplicationId = `ats-${row}`;
    return applications.submit(payload);
  });
  const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(calls.map(() => 'created'));
  expect(sent.toSorted()).toEqual([1, 2, 3, 4, 5].map((row) => `ats-${row} Ada ${row}`));
});

it('a submission that contains itself rejects, and nothing is stored', async () => {
  const { applications, requests, pending } = storyOf([]);
  const cycle: Record<string, unknown> = { ...SUBMISSION };
  cycle.candidate = cycle;
  await expect(applications.submit(cycle as unknown as NewSubmission)).rejects.toThrow();
  expect([requests, await pending()]).toEqual([[], []]);
});

it('resuming ends after three in a row without an answer, and says how many are left', async () => {
  const store = createMemorySubmissionStore();
  const { applications } = storyOf([], store);
  for (let made = 0; made < 30; made += 1) {
    await failureOf(applications.submit({ ...SUBMISSION, sourceApplicationId: `ats-${made}` }));
  }
  const away = storyOf([], store);
  const resumed = await collect(away.applications.resumePending());
  const tried = resumed.filter(({ kind }) => kind === 'pending').length;
  expect(tried).toBeGreaterThanOrEqual(3);
  expect(tried).toBeLessThanOrEqual(11);
  expect(resumed.at(-1)).toMatchObject({ kind: 'stopped', left: 30 - tried, error: { reason: 'no_answer' } });
});
