import { expect, test } from 'vitest';
import { createEvent, EVENT_TYPES, type EventFact } from './event.js';

const AT = Date.UTC(2025, 5, 15, 15, 6, 40, 7);
const ISO = '2025-06-15T15:06:40.007Z';

const hired: EventFact = {
  type: 'application.status_changed',
  application: { id: 'ej_app_1', sourceApplicationId: 'own-1', jobId: 'job_1', stage: 'hired' },
  oldStatus: 'in_progress',
  newStatus: 'accepted',
};

const ROWS: readonly [EventFact, Record<string, unknown>][] = [
  [
    hired,
    {
      applicationId: 'ej_app_1',
      sourceApplicationId: 'own-1',
      jobId: 'job_1',
      oldStatus: 'in_progress',
      newStatus: 'accepted',
      currentStage: 'Hired',
      occurredAt: ISO,
    },
  ],
  [
    { type: 'job.opened', jobId: 'job_1', companyId: 'co_1', title: 'Cook' },
    { jobId: 'job_1', companyId: 'co_1', title: 'Cook', openedAt: ISO },
  ],
  ...(['closed_by_customer', 'access_revoked', 'internal_sourcing_only'] as const).map(
    (reason): [EventFact, Record<string, unknown>] => [
      { type: 'job.closed', jobId: 'job_1', companyId: 'co_1', reason },
      { jobId: 'job_1', companyId: 'co_1', reason, closedAt: ISO },
    ],
  ),
];

test.each(ROWS)('$type has the envelope of v1 and exactly the data of its row', (fact, data) => {
  const event = createEvent('evt_1', 'key_1', AT, fact);
  expect(event).toMatchObject({ id: 'evt_1', keyId: 'key_1', type: fact.type, at: AT });
  expect(JSON.parse(event.body)).toEqual({
    id: 'evt_1',
    type: fact.type,
    createdAt: ISO,
    apiVersion: 'v1',
    data,
  });
});

test('the table above contains every event type', () => {
  expect(new Set(ROWS.map(([fact]) => fact.type))).toEqual(new Set(EVENT_TYPES));
});

test('a rejection carries the label Closed', () => {
  const fact: EventFact = {
    ...hired,
    application: { ...hired.application, stage: 'closed' },
    newStatus: 'rejected',
  };
  expect(JSON.parse(createEvent('evt_1', 'key_1', AT, fact).body).data).toMatchObject({
    newStatus: 'rejected',
    currentStage: 'Closed',
  });
});

test('sourceApplicationId is null if the partner gave none', () => {
  const fact: EventFact = { ...hired, application: { ...hired.application, sourceApplicationId: null } };
  expect(JSON.parse(createEvent('evt_1', 'key_1', AT, fact).body).data.sourceApplicationId).toBeNull();
});

test('the bytes do not depend on the key order of the fact', () => {
  const fact = { title: 'Cook', companyId: 'co_1', jobId: 'job_1', type: 'job.opened' } as const;
  expect(createEvent('evt_1', 'key_1', AT, fact).body).toBe(
    `{"apiVersion":"v1","createdAt":"${ISO}","data":{"companyId":"co_1","jobId":"job_1","openedAt":"${ISO}",` +
      '"title":"Cook"},"id":"evt_1","type":"job.opened"}',
  );
});
