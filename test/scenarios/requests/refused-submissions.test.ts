/** A refused submission is found by its job, and by the field and code that refused it. */
import { createPartner, type Reply, submission } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openRequestStage } from './stage.js';

const stage = perTest(
  () => openRequestStage(),
  (opened) => opened.close(),
);

const CANDIDATE = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+14155550123' };

function idOf(reply: Reply): string {
  return reply.headers.get('x-request-id') ?? '';
}

async function foundOf(reply: Reply) {
  return stage.fixture.operator.requests.find({ id: idOf(reply) });
}

it('a refused submission has the job that its body names, if the text has the form of an id', async () => {
  const { partner, jobId, companyId, fixture } = stage;
  const { title } = (await fixture.operator.jobs.find({ id: jobId as `job_${string}` })) ?? {};
  const noConsent = { consentToContact: false };
  const { name: companyName } =
    (await fixture.operator.companies.find({ id: companyId as `co_${string}` })) ?? {};
  const known = { jobId, jobTitle: title, companyId, companyName };
  expect(await foundOf(await partner.submit(submission(jobId, noConsent)))).toMatchObject(known);
  expect(await foundOf(await partner.submit(submission('job_none')))).toMatchObject({
    jobId: 'job_none',
    jobTitle: null,
    companyId: null,
    companyName: null,
  });
  for (const text of ['Ada Lovelace', 'job_ada@example.org', `job_${'x'.repeat(121)}`, '']) {
    expect((await foundOf(await partner.submit(submission(text))))?.jobId).toBeNull();
  }
  expect((await foundOf(await partner.submit({ jobId: { jobId } })))?.jobId).toBeNull();
  expect((await foundOf(await partner.submit([jobId])))?.jobId).toBeNull();
  expect((await foundOf(await partner.submit(submission(jobId))))?.jobId).toBeNull();
});

it('lists the refused submissions to a job by field and code, of all partners, of one, or of a key', async () => {
  const { partner, partnerId, jobId, companyId, fixture } = stage;
  const other = await createPartner(fixture);
  await fixture.operator.access.grant({ keyId: other.keyId, companyId });
  const job = { jobId: jobId as `job_${string}` };
  const badEmail = submission(jobId, { candidate: { ...CANDIDATE, email: 'no' } });
  const noEmail = submission(jobId, { candidate: { ...CANDIDATE, email: undefined } });
  const first = idOf(await partner.submit(badEmail));
  await stage.clock.advance(5);
  const second = idOf(await other.submit(badEmail));
  await stage.clock.advance(5);
  const third = idOf(await partner.submit(noEmail));
  await stage.clock.advance(5);
  const fourth = idOf(
    await partner.submit(submission('job_none', { candidate: { ...CANDIDATE, email: 'no' } })),
  );
  await partner.submit(submission(jobId));
  await partner.submit('{');
  const idsOf = async (filter: Parameters<typeof fixture.operator.requests.list>[0]) =>
    (await fixture.operator.requests.list(filter)).items.map(({ requestId }) => requestId);
  const field = 'candidate.email' as const;
  const fieldCode = 'invalid_format' as const;
  expect(await idsOf(job)).toEqual([third, second, first]);
  expect(await idsOf({ ...job, field, fieldCode })).toEqual([second, first]);
  expect(await idsOf({ ...job, field, fieldCode, keyId: partner.keyId })).toEqual([first]);
  expect(await idsOf({ ...job, partnerId })).toEqual([third, first]);
  expect(await idsOf({ ...job, field: 'source' })).toEqual([]);
  expect(await idsOf({ field })).toEqual([fourth, third, second, first]);
  expect(await idsOf({ field, fieldCode: 'required' })).toEqual([third]);
  expect(await idsOf({ fieldCode, keyId: partner.keyId })).toEqual([fourth, first]);
  const page = await fixture.operator.requests.list({ field, limit: 3 });
  expect(await idsOf({ field, cursor: page.nextCursor ?? '' })).toEqual([first]);
});
