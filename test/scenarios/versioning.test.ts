/** Contract: 13, 4.2. */
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

it('a sandbox key (pek_test_) does all that a production key does, among its own (test mode)', async () => {
  const { jobId: productionJob } = await createEmployer(fixture, partner);
  const sandbox = await createPartner(fixture, { sandbox: true });
  const { jobId } = await createEmployer(fixture, sandbox, { sandbox: true });
  expect(sandbox.secret).toMatch(/^pek_test_/);
  expect((await sandbox.get('/jobs')).json.data).toMatchObject([{ id: jobId }]);
  expect((await sandbox.submit(submission(productionJob))).status).toBe(404);
  const { status, json } = await sandbox.submit(submission(jobId));
  expect(status).toBe(201);
  const id = json.id as `ej_app_${string}`;
  await fixture.operator.applications.move({ id });
  await fixture.operator.applications.decide({ id, decision: 'rejected' });
  expect((await sandbox.get(`/applications/${id}`)).json.status).toBe('rejected');
  expect((await partner.get('/applications')).json.data).toEqual([]);
  await fixture.partnerHiring.worker.drain();
  const decided = fixture.transport.events().filter(({ type }) => type === 'application.status_changed');
  expect(decided).toMatchObject([{ data: { applicationId: id, newStatus: 'rejected' } }]);
});

it('sourceApplicationId is unique per partner within production and within the sandbox, each for itself', async () => {
  const partnerId = (await fixture.operator.partners.create({ name: 'Both ATS' })).id;
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
