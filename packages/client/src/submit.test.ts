import { clientOf, reply, SUBMISSION } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import {
  createMemorySubmissionStore,
  type Fetch,
  type FetchResponse,
  type PartnerApiError,
  SubmissionPendingError,
  type SubmissionStore,
} from './index.js';

const APPLICATION = {
  id: 'ej_app_1',
  sourceApplicationId: 'ats-1',
  jobId: 'job_1',
  status: 'received',
  submittedAt: '2026-11-21T09:00:00.000Z',
};

/** An answer, none, or what happens while it is waited for in vain. */
type Step = FetchResponse | 'lost' | (() => void);

/** A client whose requests meet these steps, in their order, and what was requested. */
function storyOf(...steps: readonly Step[]) {
  return storyIn(createMemorySubmissionStore(), ...steps);
}

/** The same, with a store that may have a mind of its own. */
function storyIn(store: SubmissionStore, ...steps: readonly Step[]) {
  const left = [...steps];
  const requests: string[] = [];
  const fetch: Fetch = async (url, { method }) => {
    requests.push(`${method} ${new URL(url).pathname.split('/external')[1]}`);
    const step = left.shift() ?? reply(500, '');
    if (step === 'lost') throw new TypeError('fetch failed');
    if (typeof step !== 'function') return step;
    queueMicrotask(step);
    return new Promise(() => {});
  };
  const { applications } = clientOf(fetch, { submissions: store });
  const pending = async () => (await applications.resumePending()).length;
  return { applications, store, requests, pending };
}

const refusal = (error: string, details: Readonly<Record<string, unknown>> = {}) =>
  reply(409, { error, message: 'No.', details });
const POST = 'POST /applications';

/** Somebody has that sourceApplicationId already. */
const DUPLICATE = refusal('DUPLICATE_SOURCE_APPLICATION_ID', { applicationId: 'ej_app_1' });

describe('a submission', () => {
  test('whose lost attempt was done, which only its sourceApplicationId tells, is found', async () => {
    const { applications } = storyOf('lost', DUPLICATE, reply(200, APPLICATION));
    expect(await applications.submit(SUBMISSION)).toMatchObject({
      outcome: 'found',
      application: { id: 'ej_app_1', createdAt: APPLICATION.submittedAt },
    });
  });

  test('that was only throttled before has made no application either', async () => {
    const throttled = reply(429, { error: 'RATE_LIMITED', message: 'Slower.' }, { 'retry-after': '1' });
    const { applications, requests } = storyOf(throttled, DUPLICATE, reply(200, APPLICATION));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
      code: 'DUPLICATE_SOURCE_APPLICATION_ID',
    });
    expect(requests).toEqual([POST, POST]);
  });

  test('that is sent for the first time has made no application, whoever has its sourceApplicationId', async () => {
    const { applications, requests, pending } = storyOf(DUPLICATE, reply(200, APPLICATION));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
      code: 'DUPLICATE_SOURCE_APPLICATION_ID',
      applicationId: 'ej_app_1',
    });
    expect([requests, await pending()]).toEqual([[POST], 0]);
  });

  test('stays pending where the application that has its sourceApplicationId cannot be read', async () => {
    const { applications, pending } = storyOf('lost', DUPLICATE, reply(401, ''), reply(401, ''));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
      name: 'SubmissionPendingError',
      cause: { code: 'HTTP_401' },
    });
    expect(await pending()).toBe(1);
  });

  test.each([
    ['a page', reply(201, '<html>')],
    ['a 201 without an id', reply(201, {})],
    ['another success', reply(200, APPLICATION)],
  ])('is not taken for accepted by %s, and sent again', async (_, answer) => {
    const { applications, requests } = storyOf(answer, reply(201, APPLICATION));
    expect(await applications.submit(SUBMISSION)).toMatchObject({ application: { id: 'ej_app_1' } });
    expect(requests).toEqual([POST, POST]);
  });

  test('whose signal was aborted before is not kept', async () => {
    const { applications, requests, pending } = storyOf();
    const reason = new Error('no longer wanted');
    await expect(applications.submit(SUBMISSION, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect([requests, await pending()]).toEqual([[], 0]);
  });

  test('ends with its signal also while it looks for the application that an attempt has made', async () => {
    const ending = new AbortController();
    const reason = new Error('no longer wanted');
    const { applications, requests } = storyOf('lost', DUPLICATE, () => ending.abort(reason));
    await expect(applications.submit(SUBMISSION, { signal: ending.signal })).rejects.toBe(reason);
    expect(requests).toEqual([POST, POST, 'GET /applications/ej_app_1']);
  });
});

test('another content under a sourceApplicationId is told what is in its way, and how to get past it', async () => {
  const { applications } = storyOf(reply(401, ''), reply(201, APPLICATION));
  const another = () => applications.submit({ ...SUBMISSION, jobId: 'job_2' });
  await expect(applications.submit(SUBMISSION)).rejects.toThrow('The submission ats-1 is not settled: 401');
  await expect(another()).rejects.toThrow('under way as ats-1. Let resumePending() settle it first');
  await applications.resumePending();
  await expect(another()).rejects.toThrow('was submitted as ats-1. Give this one a sourceApplicationId');
});

describe('a refusal', () => {
  test.each([
    'VALIDATION_ERROR',
    'JOB_NOT_FOUND',
    'ACCESS_REVOKED',
    'JOB_CLOSED',
    'DUPLICATE_SOURCE_APPLICATION_ID',
    'IDEMPOTENCY_KEY_REUSED',
    'PAYLOAD_TOO_LARGE',
  ])('%s settles it, also after a lost attempt, and reads no application', async (code) => {
    const { applications, requests, pending } = storyOf('lost', refusal(code));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({ name: 'PartnerApiError', code });
    expect([requests, await pending()]).toEqual([[POST, POST], 0]);
  });

  test('that names an application is no sign of one of ours, unless the sourceApplicationId is taken', async () => {
    const { applications, requests } = storyOf(
      'lost',
      refusal('JOB_CLOSED', { applicationId: 'ej_app_1' }),
      reply(200, APPLICATION),
    );
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({ code: 'JOB_CLOSED' });
    expect(requests).toEqual([POST, POST]);
  });
});

describe('a store that fails', () => {
  const failure = new Error('The disk is gone.');
  const fail = () => Promise.reject(failure);

  test('as it should forget a refusal leaves the submission pending, and the refusal is told', async () => {
    const store = { ...createMemorySubmissionStore(), remove: fail };
    const { applications } = storyIn(store, refusal('JOB_CLOSED'), refusal('JOB_CLOSED'));
    const error: unknown = await applications.submit(SUBMISSION).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SubmissionPendingError);
    expect(error).toMatchObject({
      message: expect.stringContaining('refused (409 JOB_CLOSED: No.)'),
      cause: { cause: failure },
    });
    expect(await applications.resumePending()).toMatchObject([{ kind: 'pending' }]);
  });

  test('with one record keeps what came of the others from nobody', async () => {
    const store = createMemorySubmissionStore();
    const lost = () => reply(401, '');
    const { applications } = storyIn(
      { ...store, find: (id) => (id.endsWith('ats-2') ? fail() : store.find(id)) },
      lost(),
      lost(),
      refusal('JOB_CLOSED'),
    );
    for (const sourceApplicationId of ['ats-1', 'ats-2']) {
      const submitted = applications.submit({ ...SUBMISSION, sourceApplicationId });
      await expect(submitted).rejects.toBeInstanceOf(SubmissionPendingError);
    }
    expect(await applications.resumePending()).toMatchObject([
      { kind: 'refused', sourceApplicationId: 'ats-1' },
      { kind: 'pending', sourceApplicationId: 'ats-2', error: { cause: { cause: failure } } },
    ]);
  });
});

describe('what is pending', () => {
  /** A story in which one submission was left pending. */
  async function leftPending(...then: readonly Step[]) {
    const story = storyOf(reply(401, { error: 'UNAUTHORIZED', message: 'No.' }), ...then);
    await expect(story.applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    return story;
  }

  test('and is refused when it is gone on with is told, and no longer pending', async () => {
    const { applications, pending } = await leftPending(refusal('JOB_CLOSED'));
    const [resumed, ...more] = await applications.resumePending();
    expect(resumed).toMatchObject({ kind: 'refused', sourceApplicationId: 'ats-1' });
    expect(resumed?.kind === 'refused' && (resumed.error as PartnerApiError).code).toBe('JOB_CLOSED');
    expect([more, await pending()]).toEqual([[], 0]);
  });

  test('may have been sent: who has its sourceApplicationId is its own application, also where it is gone on with', async () => {
    const found = { outcome: 'found', application: { id: 'ej_app_1' } };
    const again = await leftPending(DUPLICATE, reply(200, APPLICATION));
    expect(await again.applications.submit(SUBMISSION)).toMatchObject(found);
    const resumed = await leftPending(DUPLICATE, reply(200, APPLICATION));
    expect(await resumed.applications.resumePending()).toMatchObject([{ submitted: found }]);
  });

  test('is neither looked up nor sent any more once the signal has aborted', async () => {
    const memory = createMemorySubmissionStore();
    let found = 0;
    const find: SubmissionStore['find'] = (id) => {
      found += 1;
      return memory.find(id);
    };
    const { applications, requests } = storyIn({ ...memory, find }, reply(401, ''));
    await expect(applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    const reason = new Error('no longer wanted');
    const resumed = applications.resumePending({ signal: AbortSignal.abort(reason) });
    await expect(resumed).rejects.toBe(reason);
    expect([found, requests]).toEqual([0, [POST]]);
  });

  test('is gone on with as the store has it by then, not as it was listed', async () => {
    const memory = createMemorySubmissionStore();
    const idempotencyKey = '5f0c2f4e-1d0a-4a6b-9a53-0d6b4a6e2c11';
    const find: SubmissionStore['find'] = async (id) => {
      const found = await memory.find(id);
      return found === null ? null : { ...found, idempotencyKey };
    };
    const { applications } = storyIn({ ...memory, find }, reply(401, ''), reply(201, APPLICATION));
    await expect(applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    expect(await applications.resumePending()).toMatchObject([{ submitted: { idempotencyKey } }]);
  });

  test('and is settled meanwhile is neither sent nor told', async () => {
    const { applications, requests } = await leftPending(reply(201, APPLICATION));
    const [submitted, resumed] = await Promise.all([
      applications.submit(SUBMISSION),
      applications.resumePending(),
    ]);
    expect([submitted.outcome, resumed]).toEqual(['created', []]);
    expect(requests).toEqual([POST, POST]);
  });

  test('is settled beside what the store cannot read, which is told with where it is', async () => {
    const memory = createMemorySubmissionStore();
    const error = new Error('It is empty.');
    const unreadable = { state: 'unreadable', where: '/submissions/a.json', error } as const;
    const { applications } = storyIn(
      { ...memory, listPending: async (scope) => [unreadable, ...(await memory.listPending(scope))] },
      reply(401, ''),
      reply(201, APPLICATION),
    );
    await expect(applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    expect(await applications.resumePending()).toMatchObject([
      { kind: 'unreadable', sourceApplicationId: null, where: '/submissions/a.json', error },
      { kind: 'submitted', sourceApplicationId: 'ats-1' },
    ]);
  });

  test('stays so where the signal aborts, which ends all of it with the reason', async () => {
    const ending = new AbortController();
    const reason = new Error('no longer wanted');
    const { applications, store } = await leftPending(() => ending.abort(reason));
    await expect(applications.resumePending({ signal: ending.signal })).rejects.toBe(reason);
    expect(await store.listPending('https://api.example.org/api/v1/external pek_test')).toHaveLength(1);
  });
});
