import { expect, test } from 'vitest';
import { readEvent } from './events.js';

const ENVELOPE = { id: 'evt_1', createdAt: '2025-06-15T15:06:40.000Z', apiVersion: 'v1' };
const AT = '2025-06-15T15:06:40.000Z';

/** Contract: 10.3 to 10.5. */
const DATA: Record<string, Record<string, unknown>> = {
  'application.status_changed': {
    applicationId: 'ej_app_1',
    sourceApplicationId: 'own-1',
    jobId: 'job_1',
    oldStatus: 'in_progress',
    newStatus: 'accepted',
    currentStage: 'Hired',
    occurredAt: AT,
  },
  'job.opened': { jobId: 'job_1', companyId: 'co_1', title: 'Cook', openedAt: AT },
  'job.closed': { jobId: 'job_1', companyId: 'co_1', reason: 'access_revoked', closedAt: AT },
};

function read(type: string, data: unknown): string {
  const event = readEvent(JSON.stringify({ ...ENVELOPE, type, data }));
  return typeof event === 'string' ? event : 'event';
}

test.each(Object.entries(DATA))(
  '%s is read with the fields of its row, each of them needed',
  (type, data) => {
    expect(read(type, data)).toBe('event');
    for (const field of Object.keys(data)) {
      expect(read(type, { ...data, [field]: undefined }), `without ${field}`).toBe(`data.${field}`);
      expect(read(type, { ...data, [field]: 7 }), `${field} a number`).toBe(`data.${field}`);
    }
  },
);

test('only sourceApplicationId may be null', () => {
  const data = DATA['application.status_changed'];
  expect(read('application.status_changed', { ...data, sourceApplicationId: null })).toBe('event');
  expect(read('application.status_changed', { ...data, jobId: null })).toBe('data.jobId');
});

test('accepts new fields, values and types', () => {
  expect(read('job.closed', { ...DATA['job.closed'], reason: 'moved', extra: { a: 1 } })).toBe('event');
  expect(read('job.paused', {})).toBe('event');
});

test.each(['constructor', '__proto__', 'toString', ''])('treats the type %j as an unknown type', (type) => {
  expect(read(type, {})).toBe('event');
});
