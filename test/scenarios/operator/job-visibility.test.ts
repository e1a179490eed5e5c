/** Which keys see a job, and when that changed. */
import { expect, it } from 'vitest';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;

it('lists each key that saw the job, with the time of the change: those that see it first', async () => {
  const [first, second, stranger] = [await stage.key(), await stage.key(), await stage.key()];
  const companyId = await stage.company();
  await operator.access.grant({ keyId: first, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  await stage.clock.advance(1_000);
  await operator.access.grant({ keyId: second, companyId });
  const visible = await operator.jobs.visibility({ id: job.id });
  const [ofSecond] = await stage.visible(second);
  const [ofFirst] = await stage.visible(first);
  const names = { partnerId: expect.any(String), partnerName: 'Acme ATS', keyLabel: 'Acme ATS (production)' };
  expect(visible).toEqual([
    { keyId: second, isVisible: true, changedAt: ofSecond?.changedAt, ...names },
    { keyId: first, isVisible: true, changedAt: ofFirst?.changedAt, ...names },
  ]);
  expect(visible.map(({ keyId }) => keyId)).not.toContain(stranger);

  await stage.clock.advance(1_000);
  await operator.access.revoke({ keyId: second, companyId });
  const [closed] = (await stage.events(second)).slice(-1);
  expect(await operator.jobs.visibility({ id: job.id })).toEqual([
    { keyId: first, isVisible: true, changedAt: ofFirst?.changedAt, ...names },
    { keyId: second, isVisible: false, changedAt: closed?.at, ...names },
  ]);
});

it('is empty for a job that no key saw, and refuses an unknown one', async () => {
  const job = await operator.jobs.publish({ ...PICKER, companyId: await stage.company() });
  expect(await operator.jobs.visibility({ id: job.id })).toEqual([]);
  await expect(operator.jobs.visibility({ id: 'job_none' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
});
