/** Which keys see a job, and when that changed. */
import type { CompanyId, JobId, KeyId } from '@partner-hiring/core';
import { expect, it } from 'vitest';
import { openStage, PICKER } from './stage.js';

const stage = await openStage();
const { operator } = stage;

async function visibilityOf(id: JobId) {
  return (await operator.jobs.find({ id }))?.visibility;
}

it('lists each key that saw the job, with the time of the change: those that see it first', async () => {
  const [first, second, stranger] = [await stage.key(), await stage.key(), await stage.key()];
  const companyId = await stage.company();
  await operator.access.grant({ keyId: first, companyId });
  const job = await operator.jobs.publish({ ...PICKER, companyId });
  await stage.clock.advance(1_000);
  await operator.access.grant({ keyId: second, companyId });
  const visible = await visibilityOf(job.id);
  const [ofSecond] = await stage.visible(second);
  const [ofFirst] = await stage.visible(first);
  const since = (at: number | undefined) => ({
    changedAt: at,
    visibleSince: at,
    visibleUntil: null,
    reason: null,
  });
  const names = { partnerId: expect.any(String), partnerName: 'Acme ATS', keyLabel: 'Acme ATS (production)' };
  expect(visible).toEqual([
    { keyId: second, isVisible: true, ...since(ofSecond?.changedAt), ...names },
    { keyId: first, isVisible: true, ...since(ofFirst?.changedAt), ...names },
  ]);
  expect(visible?.map(({ keyId }) => keyId)).not.toContain(stranger);

  await stage.clock.advance(1_000);
  await operator.access.revoke({ keyId: second, companyId });
  const [closed] = (await stage.events(second)).slice(-1);
  expect(await visibilityOf(job.id)).toEqual([
    { keyId: first, isVisible: true, ...since(ofFirst?.changedAt), ...names },
    {
      keyId: second,
      isVisible: false,
      changedAt: closed?.at,
      visibleSince: ofSecond?.changedAt,
      visibleUntil: closed?.at,
      reason: 'access_revoked',
      ...names,
    },
  ]);
});

interface Seen {
  readonly id: JobId;
  readonly keyId: KeyId;
  readonly companyId: CompanyId;
  /** Another company that the key sees. */
  readonly otherId: CompanyId;
}

const { jobs, access, companies } = operator;

it.each<[string, boolean, (seen: Seen) => Promise<unknown>]>([
  ['an edit keeps', true, ({ id }) => jobs.update({ id, changes: { title: 'Packer' } })],
  [
    'a row of the platform keeps',
    true,
    ({ id, companyId }) => jobs.put({ ...PICKER, id, companyId, title: 'Packer' }),
  ],
  [
    'a new name of the company keeps',
    true,
    ({ companyId }) => companies.rename({ id: companyId, name: 'New' }),
  ],
  [
    'a move to another company that the key sees keeps',
    true,
    ({ id, otherId }) => jobs.update({ id, changes: { companyId: otherId } }),
  ],
  ['a grant that exists already keeps', true, ({ keyId, companyId }) => access.grant({ keyId, companyId })],
  [
    'closing and reopening begins anew',
    false,
    inTurn(
      ({ id }) => jobs.close({ id }),
      ({ id }) => jobs.reopen({ id }),
    ),
  ],
  [
    'archiving and unarchiving begins anew',
    false,
    inTurn(
      ({ id }) => jobs.archive({ id }),
      ({ id }) => jobs.reopen({ id, from: 'archived' }),
    ),
  ],
  [
    'hiding and showing begins anew',
    false,
    inTurn(
      ({ id }) => jobs.setVisibility({ id, visibility: 'internal_only' }),
      ({ id }) => jobs.setVisibility({ id, visibility: 'public' }),
    ),
  ],
  [
    'a move to a company that the key does not see, and back, begins anew',
    false,
    inTurn(
      async ({ id }) => jobs.update({ id, changes: { companyId: await stage.company() } }),
      ({ id, companyId }) => jobs.update({ id, changes: { companyId } }),
    ),
  ],
  [
    'access that is revoked and granted again begins anew',
    false,
    inTurn(
      ({ keyId, companyId }) => access.revoke({ keyId, companyId }),
      ({ keyId, companyId }) => access.grant({ keyId, companyId }),
    ),
  ],
])('%s the time since when a key sees a job', async (_what, isKept, act) => {
  const [keyId, companyId, otherId] = [await stage.key(), await stage.company(), await stage.company()];
  await access.grant([companyId, otherId].map((each) => ({ keyId, companyId: each })));
  const { id } = await jobs.publish({ ...PICKER, companyId });
  const [before] = (await visibilityOf(id)) ?? [];
  await stage.clock.advance(1_000);
  await act({ id, keyId, companyId, otherId });
  const [after] = (await visibilityOf(id)) ?? [];
  const visibleSince = isKept ? before?.changedAt : after?.changedAt;
  expect(after).toEqual({ ...after, isVisible: true, visibleSince });
  if (!isKept) expect(visibleSince).toBeGreaterThan(before?.changedAt ?? Infinity);
});

/** Does one after the other. The key does not see the job in between. */
function inTurn(...[hide, show]: ((seen: Seen) => Promise<unknown>)[]) {
  return async ({ id, keyId, companyId, otherId }: Seen) => {
    await hide?.({ id, keyId, companyId, otherId });
    const [hidden] = (await visibilityOf(id)) ?? [];
    expect(hidden).toMatchObject({ isVisible: false, visibleUntil: hidden?.changedAt });
    expect(hidden?.visibleSince).toBeLessThan(hidden?.changedAt ?? 0);
    await show?.({ id, keyId, companyId, otherId });
  };
}

it('says why a key does not see the job anymore', async () => {
  const [keyId, companyId] = [await stage.key(), await stage.company()];
  const grant = () => access.grant({ keyId, companyId });
  const revoke = () => access.revoke({ keyId, companyId });
  await grant();
  const { id } = await jobs.publish({ ...PICKER, companyId });
  const reasonAfter = async (...acts: readonly (() => Promise<unknown>)[]) => {
    for (const act of acts) {
      await stage.clock.advance(1_000);
      await act();
    }
    return (await visibilityOf(id))?.[0]?.reason;
  };
  const hide = () => jobs.setVisibility({ id, visibility: 'internal_only' });
  const close = () => jobs.close({ id });
  expect(await reasonAfter(hide)).toBe('internal_sourcing_only');
  expect(await reasonAfter(() => jobs.setVisibility({ id, visibility: 'public' }))).toBeNull();
  expect(await reasonAfter(close, revoke)).toBe('closed_by_customer');
  expect(await reasonAfter(() => jobs.reopen({ id }))).toBe('access_revoked');
  expect(await reasonAfter(grant, revoke, close)).toBe('access_revoked');
  expect(await reasonAfter(grant)).toBe('closed_by_customer');
  const other = await stage.company();
  const move = () => jobs.update({ id, changes: { companyId: other } });
  expect(await reasonAfter(() => jobs.reopen({ id }), move)).toBe('closed_by_customer');
});

it('shows an operator for some partners only the keys of these', async () => {
  const [ours, theirs] = [await stage.key(), await stage.key()];
  const companyId = await stage.company();
  await operator.access.grant([ours, theirs].map((keyId) => ({ keyId, companyId })));
  const { id } = await operator.jobs.publish({ ...PICKER, companyId });
  expect(await visibilityOf(id)).toHaveLength(2);
  const partnerId = (await operator.keys.find({ id: ours }))?.key.partnerId;
  if (partnerId === undefined) throw new Error('The key is missing.');
  const limited = operator.limitedTo({ partnerIds: [partnerId], rights: ['jobs:read'] });
  expect(await limited.jobs.find({ id })).toMatchObject({ visibility: [{ keyId: ours, partnerId }] });
});

it('is empty for a job that no key saw', async () => {
  const job = await operator.jobs.publish({ ...PICKER, companyId: await stage.company() });
  expect(await operator.jobs.find({ id: job.id })).toEqual({ ...job, visibility: [] });
  expect(await operator.jobs.find({ id: 'job_none' })).toBeNull();
});
