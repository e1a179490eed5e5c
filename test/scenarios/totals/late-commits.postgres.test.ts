/** A transaction that commits after a count, with an earlier stamp, is counted next time. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openTotalsStage } from './stage.js';

const stage = perTest(openTotalsStage, ({ close }) => close());

it('counts what was not committed during the last count once', async () => {
  const { operator, storage, partners, employers, submit, figures, count, countNow, clock } = stage;
  const [partner, other] = partners;
  const id = await submit(partner, employers[0].jobId);
  await operator.applications.move({ id });
  await count();
  await submit(other, employers[0].jobId);
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let isOpen = () => {};
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve;
  });
  const late = storage.transaction(async (tx) => {
    const [stamps] = await tx.feed.take([{ keyId: partner.keyId, count: 1 }], clock.now());
    const [application] = await tx.applications.findForUpdate([id]);
    if (stamps === undefined || !application) throw new Error('The application is missing.');
    const at = stamps.first;
    const decided = { status: 'accepted', stage: 'hired', lastStatusChangeAt: at, changedAt: at } as const;
    await tx.applications.saveProgress([{ ...application, ...decided }]);
    isOpen();
    await held;
  });
  await opened;
  // The clock does not move while a transaction is open.
  await countNow();
  expect((await figures({ by: 'month' }))[0]).toMatchObject({ submitted: 2, hired: 0 });
  commit();
  await late;
  await count();
  await count();
  expect((await figures({ by: 'month' }))[0]).toMatchObject({ submitted: 2, hired: 1 });
});
