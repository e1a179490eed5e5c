import { createPlanReader, PLAN_MODES, scannedIn } from '@partner-hiring/test-support/postgres/plan-reader';
import { KEY, PAGES, type PlannedQuery } from '@partner-hiring/test-support/postgres/planned-queries';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { open, use, close, nodesOf } = createPlanReader();

beforeAll(() => open(''));
afterAll(close);

describe.each(PLAN_MODES)('query plans with %s on tables without statistics', (mode) => {
  beforeAll(() => use(mode));

  it.each<PlannedQuery>([
    ['own applications', (r) => r.applications.findOwned([{ keyId: KEY, id: 'ej_app_1' }])],
    ['idempotency records', (r) => r.submissions.findRecords([{ keyId: KEY, idempotencyKey: 'k' }])],
    [
      'applications by the partner’s id',
      (r) => r.applications.findBySourceIds([{ keyId: KEY, sourceApplicationId: 's' }]),
    ],
    ['jobs for keys', (r) => r.jobs.findForKeys([{ keyId: KEY, jobId: 'job_1' }])],
    ['secrets by hash', (r) => r.keys.findByHashes(['h'])],
    ['deliveries by event', (r) => r.deliveries.find(KEY, ['evt_1'])],
    ['deliveries of many keys', (r) => r.deliveries.findEach([{ keyId: KEY, eventId: 'evt_1' }])],
  ])('%s: found by an index, which stays right when they grow', async (_, run) => {
    const nodes = await nodesOf(run);
    expect(scannedIn(nodes)).toEqual([]);
    // The index has the whole condition: the cost of a filter would grow with the table.
    expect(nodes.filter(({ Filter }) => Filter !== undefined)).toEqual([]);
  });

  it.each(PAGES)('%s: the plan of a page scans no table', async (_, run) => {
    expect(scannedIn(await nodesOf(run))).toEqual([]);
  });
});
