/** Log lines of resumed endpoints. */

import { createFakeClock, STORY_START } from '@partner-hiring/test-support/clock';
import { createFixture, type Fixture } from '@partner-hiring/test-support/fixture';
import { createPartner } from '@partner-hiring/test-support/partner';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { createRecordingLogger } from '@partner-hiring/test-support/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let fixture: Fixture;
let logger: ReturnType<typeof createRecordingLogger>;
/** Runs before the next transaction. */
let meanwhile: (() => Promise<void>) | null;
let storage: Awaited<ReturnType<Awaited<ReturnType<typeof createTestDatabase>>['open']>>;
let remove: () => Promise<void>;
beforeEach(async () => {
  const database = await createTestDatabase();
  remove = database.remove;
  const clock = createFakeClock();
  storage = await database.open(clock);
  logger = createRecordingLogger();
  meanwhile = null;
  const interrupted: typeof storage = {
    ...storage,
    transaction: async (work) => {
      const before = meanwhile;
      meanwhile = null;
      await before?.();
      return storage.transaction(work);
    },
  };
  fixture = await createFixture({ logger, storage: interrupted }, {}, clock);
});
afterEach(async () => {
  await fixture.close();
  await remove();
});

describe('resuming an endpoint', () => {
  it('is logged with the reason of the pause, even of one that came meanwhile', async () => {
    const { keyId } = await createPartner(fixture);
    const { endpoints } = fixture.operator;
    const { endpoints: stored } = storage.direct;
    meanwhile = async () => {
      const endpoint = await stored.find(keyId);
      if (endpoint === null) throw new Error('The endpoint is there.');
      await stored.save({ ...endpoint, state: { kind: 'paused', reason: 'gone', pausedAt: STORY_START } });
    };
    expect(await endpoints.resume({ keyId })).toMatchObject({ changed: true, pausedReason: 'gone' });
    expect(await endpoints.resume({ keyId })).toMatchObject({ changed: false, pausedReason: null });
    const resumed = logger.lines.filter(({ message }) => message.startsWith('The operator resumed'));
    expect(resumed).toMatchObject([{ fields: { keyId, reason: 'gone' } }]);
  });

  it('names the command in its error if the target is missing', async () => {
    const { endpoints } = fixture.operator;
    for (const target of [undefined, {}] as never[]) {
      await expect(endpoints.resume(target)).rejects.toThrow('endpoints.resume');
      await expect(endpoints.pause(target)).rejects.toThrow('endpoints.pause');
    }
  });
});
