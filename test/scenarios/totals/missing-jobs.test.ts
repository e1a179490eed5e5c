/** Why does a key see fewer jobs than another? */
import { createPartner } from '@partner-hiring/test-support/partner';
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openTotalsStage } from './stage.js';

const stage = perTest(openTotalsStage, ({ close }) => close());

it('names each job that another key sees and this one does not, with the reason', async () => {
  const { operator, partners, employers, clock, publish } = stage;
  const [acme, beta] = partners;
  const [, globex] = employers;
  const compare = async (filter = {}) =>
    (await operator.totals.listMissing({ keyId: acme.keyId, otherKeyId: beta.keyId, ...filter })).items;
  expect(await compare()).toEqual([]);

  const third = await operator.companies.create({ name: 'Third', environment: 'production' });
  await operator.access.grant({ keyId: beta.keyId, companyId: third.id });
  const job = await publish(third.id);
  await operator.access.revoke({ keyId: acme.keyId, companyId: globex.companyId });
  const row = { jobTitle: job.title, companyName: 'Initech' };
  const unseen = {
    ...row,
    jobId: job.id,
    companyId: third.id,
    companyName: 'Third',
    reason: 'no_access',
    since: null,
  };
  const revoked = { ...row, jobId: globex.jobId, companyId: globex.companyId, reason: 'access_revoked' };
  const expected = [{ ...revoked, since: clock.now() }, unseen];
  expect(await compare()).toEqual(expected);
  expect(await compare({ keyId: beta.keyId, otherKeyId: acme.keyId })).toEqual([]);

  const first = await operator.totals.listMissing({ keyId: acme.keyId, otherKeyId: beta.keyId, limit: 1 });
  const cursor = first.nextCursor ?? undefined;
  expect([...first.items, ...(await compare({ cursor }))]).toEqual(expected);
});

it('names a job that a key may see and does not, as after a restored backup', async () => {
  const { operator, partners, employers, storage } = stage;
  const [acme, beta] = partners;
  const [{ companyId, jobId }] = employers;
  const seen = await storage.direct.keyJobs.find(acme.keyId, jobId);
  if (seen === null) throw new Error('The key sees the job.');
  await storage.direct.keyJobs.save([{ ...seen, visible: false }]);
  const { items } = await operator.totals.listMissing({ keyId: acme.keyId, otherKeyId: beta.keyId });
  expect(items).toMatchObject([{ jobId, companyId, reason: 'not_shown', since: seen.changedAt }]);
});

it('compares keys of one environment only', async () => {
  const { operator, partners } = stage;
  const [{ keyId }] = partners;
  const sandbox = await createPartner(stage, { sandbox: true });
  await expect(operator.totals.listMissing({ keyId, otherKeyId: sandbox.keyId })).rejects.toThrow(
    'otherKeyId must be a key of the same environment',
  );
  await expect(operator.totals.listMissing({ keyId, otherKeyId: 'key_none' })).rejects.toMatchObject({
    code: 'KEY_NOT_FOUND',
  });
});
