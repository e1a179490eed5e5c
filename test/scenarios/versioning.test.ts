/** Spec: Versioning, and Authentication, rule 2. A test for each point. */
import { readFileSync } from 'node:fs';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import {
  createEmployer,
  createPartner,
  type Partner,
  submission,
} from '@partner-hiring/test-support/partner';
import { afterEach, beforeEach, expect, it } from 'vitest';

let fixture: Fixture;
let partner: Partner;
beforeEach(async () => {
  fixture = await createFixture();
  partner = await createPartner(fixture);
});
afterEach(() => fixture.close());

/** A request to the host's whole address space, not only to the API's. */
async function fetchPath(path: string): Promise<readonly [number, unknown]> {
  const headers = { authorization: `Bearer ${partner.secret}` };
  const response = await fixture.partnerHiring.fetch(new Request(`http://api.test${path}`, { headers }));
  return [response.status, ((await response.json()) as { error?: unknown }).error];
}

it.each(['/jobs', '/applications'])(
  'the version v1 is in the path prefix: /api/v1/external%s',
  async (path) => {
    expect(await fetchPath(`/api/v1/external${path}`)).toEqual([200, undefined]);
  },
);

it.each([
  '/jobs',
  '/v1/jobs',
  '/external/jobs',
  '/api/external/jobs',
  '/api/v2/external/jobs',
  '/API/V1/external/jobs',
])('nothing is served without that prefix: %s', async (path) => {
  expect(await fetchPath(path)).toEqual([404, 'NOT_FOUND']);
});

it('apiVersion is always v1: in the envelope of each type of event', async () => {
  const { jobId } = await createEmployer(fixture, partner);
  const id = (await partner.submit(submission(jobId))).json.id as `ej_app_${string}`;
  await fixture.operator.applications.beginEvaluation({ id });
  await fixture.operator.applications.decide({ id, decision: 'accepted' });
  await fixture.operator.jobs.close({ id: jobId });
  await fixture.partnerHiring.worker.drain();
  expect(fixture.transport.events().map(({ type, apiVersion }) => [type, apiVersion])).toEqual([
    ['job.opened', 'v1'],
    ['application.status_changed', 'v1'],
    ['job.closed', 'v1'],
  ]);
});

it('changes are announced in a changelog with dates, descriptions and migration guidance; the first is v1', () => {
  const text = readFileSync(new URL('../../docs/api-changelog.md', import.meta.url), 'utf8');
  const entries = text.split(/^## (?=\d)/m).slice(1);
  expect(entries.at(-1)).toMatch(/^\d{4}-\d{2}-\d{2}: v1\n\nInitial release\./);
  for (const entry of entries) {
    expect(entry).toMatch(/^\d{4}-\d{2}-\d{2}: v\d+\n/);
    expect(entry).toMatch(/^- Migration: \S/m);
  }
});

it('test mode: a sandbox key (pek_test_) does all that a production key does, among its own', async () => {
  const { jobId: productionJob } = await createEmployer(fixture, partner);
  const sandbox = await createPartner(fixture, { sandbox: true });
  const { jobId } = await createEmployer(fixture, sandbox, { sandbox: true });
  expect(sandbox.secret).toMatch(/^pek_test_/);
  expect((await sandbox.get('/jobs')).json.data).toMatchObject([{ id: jobId }]);
  expect((await sandbox.submit(submission(productionJob))).status).toBe(404);
  const { status, json } = await sandbox.submit(submission(jobId));
  expect(status).toBe(201);
  const id = json.id as `ej_app_${string}`;
  await fixture.operator.applications.beginEvaluation({ id });
  await fixture.operator.applications.decide({ id, decision: 'rejected' });
  expect((await sandbox.get(`/applications/${id}`)).json.status).toBe('rejected');
  expect((await partner.get('/applications')).json.data).toEqual([]);
  await fixture.partnerHiring.worker.drain();
  const decided = fixture.transport.events().filter(({ type }) => type === 'application.status_changed');
  expect(decided).toMatchObject([{ data: { applicationId: id, newStatus: 'rejected' } }]);
});

it('sourceApplicationId is unique per partner within production and within the sandbox, each for itself', async () => {
  const partnerId = (await fixture.operator.partners.add({ name: 'Both ATS' })).id;
  const outcomes = [];
  for (const sandbox of [false, true]) {
    const caller = await createPartner(fixture, { partnerId, sandbox });
    const { jobId } = await createEmployer(fixture, caller, { sandbox });
    for (const _ of [1, 2]) {
      outcomes.push((await caller.submit(submission(jobId, { sourceApplicationId: 'ats-1' }))).status);
    }
  }
  expect(outcomes).toEqual([201, 409, 201, 409]);
});
