import { expect, it } from 'vitest';
import { maskPersonalData, maskResults } from './mask-results.js';

it('masks a candidate, what quotes one, and the partner’s own texts, wherever they are', () => {
  const application = {
    id: 'ej_app_1',
    source: 'careers/ada',
    sourceApplicationId: 'ada-1',
    status: 'received',
    candidate: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' },
    answers: { about: 'Ada' },
    resumeUrl: 'https://cv.example/ada.pdf',
    resume: { kind: 'fetched', location: '/ada.pdf', fetchedAt: 1 },
  };
  const body = JSON.stringify({
    data: { applicationId: 'ej_app_1', sourceApplicationId: 'ada-1' },
    id: 'evt_1',
  });
  const value = {
    rows: [{ application }],
    event: { body },
    attempts: [{ outcome: { kind: 'answered', status: 500, excerpt: 'no Ada' } }],
    items: [{ applicationId: 'ej_app_1', lastError: 'no Ada' }],
  };
  expect(maskPersonalData(value)).toEqual({
    rows: [
      {
        application: {
          id: 'ej_app_1',
          source: '…',
          sourceApplicationId: '…',
          status: 'received',
          candidate: { firstName: 'A…', lastName: 'L…', email: 'a…@example.org', phone: '…23' },
          answers: { about: '…' },
          resumeUrl: '…',
          resume: { kind: 'fetched', location: '…', fetchedAt: 1 },
        },
      },
    ],
    event: { body: body.replace('ada-1', '…') },
    attempts: [{ outcome: { kind: 'answered', status: 500, excerpt: '…' } }],
    items: [{ applicationId: 'ej_app_1', lastError: '…' }],
  });
});

it('leaves everything else as it is', () => {
  const value = {
    id: 'op_1',
    plan: { kind: 'erase' },
    lastError: 'The database is busy.',
    at: 1,
    none: null,
    list: [1, 'text', true],
    source: null,
    sourceApplicationId: '',
    event: { body: '{"data":{"jobId":"job_1"},"id":"evt_1"}' },
  };
  expect(maskPersonalData(value)).toEqual(value);
});

it('masks the results of a group within a group too', async () => {
  const last = async () => ({ lastError: 'no Ada' });
  const operator = maskResults({ jobs: { syncs: { last } } } as never);
  expect(await operator.jobs.syncs.last()).toEqual({ lastError: '…' });
});
