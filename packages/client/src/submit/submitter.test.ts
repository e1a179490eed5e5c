import { collect } from '@partner-hiring/test-support/client/collect';
import { clientOf, reply, SUBMISSION } from '@partner-hiring/test-support/client/scripted-client';
import { describe, expect, test } from 'vitest';
import {
  createMemorySubmissionStore,
  type Fetch,
  type FetchResponse,
  type PartnerApiError,
  SubmissionPendingError,
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

/** A response, a lost request, or a callback for a request that never ends. */
type Step = FetchResponse | 'lost' | (() => void);

/** A client whose requests get these responses in order, and a log of its requests. */
function storyOf(...steps: readonly Step[]) {
  return storyIn(createMemorySubmissionStore(), ...steps);
}

/** The same, with another store. */
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
  const pending = async () => (await collect(applications.resumePending())).length;
  return { applications, store, requests, pending };
}

const refusal = (error: string, details: Readonly<Record<string, unknown>> = {}) =>
  reply(409, { error, message: 'No.', details });
const POST = 'POST /applications';

const DUPLICATE = refusal('DUPLICATE_SOURCE_APPLICATION_ID', { applicationId: 'ej_app_1' });

describe('a submission', () => {
  test('finds the application of a lost attempt by its sourceApplicationId', async () => {
    const { applications } = storyOf('lost', DUPLICATE, reply(200, APPLICATION));
    expect(await applications.submit(SUBMISSION)).toMatchObject({
      outcome: 'found',
      application: { id: 'ej_app_1', createdAt: APPLICATION.submittedAt },
    });
  });

  test('reports a duplicate when an earlier attempt was only throttled', async () => {
    const throttled = reply(429, { error: 'RATE_LIMITED', message: 'Slower.' }, { 'retry-after': '1' });
    const { applications, requests } = storyOf(throttled, DUPLICATE, reply(200, APPLICATION));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
      code: 'DUPLICATE_SOURCE_APPLICATION_ID',
    });
    expect(requests).toEqual([POST, POST]);
  });

  test('reports a duplicate on the first attempt', async () => {
    const { applications, requests, pending } = storyOf(DUPLICATE, reply(200, APPLICATION));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
      code: 'DUPLICATE_SOURCE_APPLICATION_ID',
      applicationId: 'ej_app_1',
    });
    expect([requests, await pending()]).toEqual([[POST], 0]);
  });

  test('stays pending when the application with its sourceApplicationId cannot be read', async () => {
    const { applications, pending } = storyOf('lost', DUPLICATE, reply(401, ''), reply(401, ''));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({
      name: 'SubmissionPendingError',
      cause: { code: 'HTTP_401' },
    });
    expect(await pending()).toBe(1);
  });

  test.each([
    ['an HTML page', reply(201, '<html>')],
    ['a 201 without an id', reply(201, {})],
    ['another success', reply(200, APPLICATION)],
  ])('is sent again after %s', async (_, answer) => {
    const { applications, requests } = storyOf(answer, reply(201, APPLICATION));
    expect(await applications.submit(SUBMISSION)).toMatchObject({ application: { id: 'ej_app_1' } });
    expect(requests).toEqual([POST, POST]);
  });

  test('is not stored when the signal has already aborted', async () => {
    const { applications, requests, pending } = storyOf();
    const reason = new Error('no longer wanted');
    await expect(applications.submit(SUBMISSION, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect([requests, await pending()]).toEqual([[], 0]);
  });

  test('rejects when the signal aborts while it reads the application', async () => {
    const ending = new AbortController();
    const reason = new Error('no longer wanted');
    const { applications, requests } = storyOf('lost', DUPLICATE, () => ending.abort(reason));
    await expect(applications.submit(SUBMISSION, { signal: ending.signal })).rejects.toBe(reason);
    expect(requests).toEqual([POST, POST, 'GET /applications/ej_app_1']);
  });
});

test('rejects different content under a sourceApplicationId, and says how to continue', async () => {
  const { applications } = storyOf(reply(401, ''), reply(201, APPLICATION));
  const another = () => applications.submit({ ...SUBMISSION, jobId: 'job_2' });
  await expect(applications.submit(SUBMISSION)).rejects.toThrow(
    'The outcome of submission ats-1 is not known (foreign_answer): 401',
  );
  await expect(another()).rejects.toThrow('pending as ats-1. Call resumePending() first');
  await collect(applications.resumePending());
  await expect(another()).rejects.toThrow('was already submitted as ats-1. Use a new sourceApplicationId');
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
  ])('%s settles the submission even after a lost attempt', async (code) => {
    const { applications, requests, pending } = storyOf('lost', refusal(code));
    await expect(applications.submit(SUBMISSION)).rejects.toMatchObject({ name: 'PartnerApiError', code });
    expect([requests, await pending()]).toEqual([[POST, POST], 0]);
  });

  test('ignores the application that another error names', async () => {
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

  test('leaves the submission pending when it cannot remove a refused one, and reports the refusal', async () => {
    const store = { ...createMemorySubmissionStore(), remove: fail };
    const { applications } = storyIn(store, refusal('JOB_CLOSED'), refusal('JOB_CLOSED'));
    const error: unknown = await applications.submit(SUBMISSION).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SubmissionPendingError);
    expect(error).toMatchObject({
      message: expect.stringContaining('refused the submission (409 JOB_CLOSED: No.)'),
      cause: { cause: failure },
    });
    expect(await collect(applications.resumePending())).toMatchObject([{ kind: 'pending' }]);
  });

  test('does not hide the results of other records when it fails for one', async () => {
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
    const resumed = await collect(applications.resumePending());
    expect(resumed.toSorted((one, other) => (one.kind < other.kind ? 1 : -1))).toMatchObject([
      { kind: 'refused', sourceApplicationId: 'ats-1' },
      { kind: 'pending', sourceApplicationId: 'ats-2', error: { cause: { cause: failure } } },
    ]);
  });
});

describe('a pending submission', () => {
  /** A story in which one submission was left pending. */
  async function leftPending(...then: readonly Step[]) {
    const story = storyOf(reply(401, { error: 'UNAUTHORIZED', message: 'No.' }), ...then);
    await expect(story.applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    return story;
  }

  test('is reported and removed when the service refuses it', async () => {
    const { applications, pending } = await leftPending(refusal('JOB_CLOSED'));
    const [resumed, ...more] = await collect(applications.resumePending());
    expect(resumed).toMatchObject({ kind: 'refused', sourceApplicationId: 'ats-1' });
    expect(resumed?.kind === 'refused' && (resumed.error as PartnerApiError).code).toBe('JOB_CLOSED');
    expect([more, await pending()]).toEqual([[], 0]);
  });

  test('finds the application of an earlier attempt by its sourceApplicationId', async () => {
    const found = { outcome: 'found', application: { id: 'ej_app_1' } };
    const again = await leftPending(DUPLICATE, reply(200, APPLICATION));
    expect(await again.applications.submit(SUBMISSION)).toMatchObject(found);
    const resumed = await leftPending(DUPLICATE, reply(200, APPLICATION));
    expect(await collect(resumed.applications.resumePending())).toMatchObject([{ submitted: found }]);
  });

  test('is neither read nor sent after the signal has aborted', async () => {
    const memory = createMemorySubmissionStore();
    let found = 0;
    const find: SubmissionStore['find'] = (id) => {
      found += 1;
      return memory.find(id);
    };
    const { applications, requests } = storyIn({ ...memory, find }, reply(401, ''));
    await expect(applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    const reason = new Error('no longer wanted');
    const resumed = collect(applications.resumePending({ signal: AbortSignal.abort(reason) }));
    await expect(resumed).rejects.toBe(reason);
    expect([found, requests]).toEqual([0, [POST]]);
  });

  test('is sent with the key that the store has now, not the listed one', async () => {
    const memory = createMemorySubmissionStore();
    const idempotencyKey = '5f0c2f4e-1d0a-4a6b-9a53-0d6b4a6e2c11';
    const find: SubmissionStore['find'] = async (id) => {
      const found = await memory.find(id);
      return found === null ? null : { ...found, idempotencyKey };
    };
    const { applications } = storyIn({ ...memory, find }, reply(401, ''), reply(201, APPLICATION));
    await expect(applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    expect(await collect(applications.resumePending())).toMatchObject([{ submitted: { idempotencyKey } }]);
  });

  test('is skipped when another call has settled it', async () => {
    const { applications, requests } = await leftPending(reply(201, APPLICATION));
    const [submitted, resumed] = await Promise.all([
      applications.submit(SUBMISSION),
      collect(applications.resumePending()),
    ]);
    expect([submitted.outcome, resumed]).toEqual(['created', []]);
    expect(requests).toEqual([POST, POST]);
  });

  test('is settled next to an unreadable entry, which is reported with its location', async () => {
    const memory = createMemorySubmissionStore();
    const error = new Error('It is empty.');
    const unreadable = { state: 'unreadable', where: '/submissions/a.json', error } as const;
    const { applications } = storyIn(
      { ...memory, listPending: async (scope) => [unreadable, ...(await memory.listPending(scope))] },
      reply(401, ''),
      reply(201, APPLICATION),
    );
    await expect(applications.submit(SUBMISSION)).rejects.toBeInstanceOf(SubmissionPendingError);
    expect(await collect(applications.resumePending())).toMatchObject([
      { kind: 'unreadable', sourceApplicationId: null, where: '/submissions/a.json', error },
      { kind: 'submitted', sourceApplicationId: 'ats-1' },
    ]);
  });

  test('stays pending when the signal aborts, and rejects with the reason', async () => {
    const ending = new AbortController();
    const reason = new Error('no longer wanted');
    const { applications, store } = await leftPending(() => ending.abort(reason));
    await expect(collect(applications.resumePending({ signal: ending.signal }))).rejects.toBe(reason);
    expect(await store.listPending('https://api.example.org/api/v1/external pek_test')).toHaveLength(1);
  });
});
