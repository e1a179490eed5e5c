import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { createEmployer, createPartner } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { expect, test } from 'vitest';

test('a drain ends though its sender pauses on a clock that stands still', async () => {
  const clock = createFakeClock();
  const database = await createTestDatabase();
  const fixture = await createFixture({ storage: await database.open(clock) }, {}, clock);
  const host = await database.host();
  const partner = await createPartner(fixture);
  await createEmployer(fixture, partner);
  const startedAt = clock.now();
  // The sender has leased the endpoint when it sends, and finds it locked when it records the attempt.
  fixture.transport.answerWith(async () => {
    await host.run('begin');
    await host.run('select * from ph_endpoint for update');
    return { kind: 'answered', status: 500, excerpt: '' };
  });
  const drained = fixture.partnerHiring.worker.drain();
  await expect.poll(() => fixture.transport.attempts.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await host.run('rollback');
  await drained;
  expect(clock.now() - startedAt).toBe(100);
  await host.close();
  await fixture.close();
  await database.remove();
});
