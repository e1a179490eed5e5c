/** With the inbox on: the host never receives the data of an erased candidate. */
import { perTest } from '@partner-hiring/test-support/per-test';
import { expect, it } from 'vitest';
import { openInboxStage } from '../inbox/stage.js';
import { dump } from './stage.js';

const HOUR_MS = 3_600_000;

const stage = perTest(
  () => openInboxStage(),
  (opened) => opened.close(),
);

it('items that wait are dropped, by push and by pull', async () => {
  const erased = await stage.submit('Erased');
  await stage.submit('Kept');
  await stage.fixture.operator.candidates.erase({ email: 'erased@example.org' });
  const { operator } = stage.fixture;
  const pulled = await operator.inbox.take({ leaseMs: 1_000 });
  expect(pulled.map(({ application }) => application.candidate.lastName)).toEqual(['Kept']);
  await stage.clock.advance(1_000);
  await stage.drain();
  expect(await stage.received()).toEqual(['Kept']);
  expect(stage.batches.flat().map(({ application }) => application.id)).not.toContain(erased);
  expect(await operator.inbox.status()).toMatchObject({ unread: 0, parked: 0 });
});

it('a refused item goes with its error, and so does a parked one', async () => {
  await stage.submit('Refused');
  stage.failFor(({ application }) => application.candidate.lastName === 'Refused');
  const { operator } = stage.fixture;
  for (let hour = 0; hour < 40; hour += 1) {
    await stage.submit(`Fine${hour}`);
    await stage.fixture.pass(HOUR_MS);
  }
  const { items } = await operator.inbox.listParked();
  expect(items).toMatchObject([{ lastError: 'Error: no place for …' }]);
  const exported = await operator.candidates.export({ email: 'refused@example.org' });
  expect(exported.applications).toMatchObject([{ inboxItems: [{ lastError: 'Error: no place for …' }] }]);
  const receipt = await operator.candidates.erase({ email: 'refused@example.org' });
  expect(receipt.counts.inboxItems).toBe(1);
  expect((await operator.inbox.listParked()).items).toEqual([]);
  stage.failFor(() => false);
  await stage.fixture.pass(HOUR_MS);
  expect(await stage.received()).not.toContain('Refused');
  expect((await dump(stage.host)).toLowerCase()).not.toContain('refused@');
  expect(stage.logger.text()).not.toContain('Refused');
});

it('an application that the host received before is not handed over again', async () => {
  const id = (await stage.submit('Ada')) as `ej_app_${string}`;
  await stage.drain();
  expect(await stage.received()).toEqual(['Ada']);
  await stage.fixture.operator.candidates.erase({ applicationId: id });
  await stage.drain();
  expect(await stage.received()).toEqual(['Ada']);
});
