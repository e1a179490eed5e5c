/** Functions whose platform freezes the process after the reply, and drains with a time limit. */
import { createFetchHandler } from '@partner-hiring/core';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { createFixture } from '@partner-hiring/test-support/fixture';
import { perTest } from '@partner-hiring/test-support/per-test';
import { createTestDatabase } from '@partner-hiring/test-support/storages';
import { answered } from '@partner-hiring/test-support/transport';
import { describe, expect, it } from 'vitest';
import { hang, openStage, until } from './stage.js';

const BASE = 'https://jobs.example.com/api/v1/external';

describe('a function that is frozen after its reply', () => {
  // The clock stands still, so no timer of the process fires after the reply.
  const story = perTest(
    async () => {
      const database = await createTestDatabase();
      const clock = createFakeClock();
      const storage = await database.open(clock);
      return { database, storage, fixture: await createFixture({ storage }, {}, clock) };
    },
    async ({ database, fixture }) => {
      await fixture.close();
      await database.remove();
    },
  );
  // Commands of the operator write the request log before they read it, so the tests ask the storage.
  const logged = (reply: Response) =>
    story.storage.direct.requests.find(reply.headers.get('x-request-id') ?? '');

  it('has written its request log when `flush` resolves, without a timer', async () => {
    const { partnerHiring } = story.fixture;
    const reply = await partnerHiring.fetch(new Request(`${BASE}/jobs`));
    expect(await logged(reply)).toBeNull();
    await partnerHiring.flush();
    expect(await logged(reply)).toMatchObject({ status: 401 });
  });

  it('has its request log written by `waitUntil`, which gets a promise for each reply', async () => {
    const held: Promise<void>[] = [];
    const { handler } = story.fixture.partnerHiring;
    const fetch = createFetchHandler(handler, { waitUntil: (work) => void held.push(work) });
    const reply = await fetch(new Request(`${BASE}/jobs`));
    expect(held).toHaveLength(1);
    await Promise.all(held);
    expect(await logged(reply)).toMatchObject({ status: 401 });
  });

  it('refuses `waitUntil` with a handler that has nothing to flush', () => {
    const { handler } = story.fixture.partnerHiring;
    expect(() =>
      createFetchHandler(Object.assign(handler.bind(null), { basePath: handler.basePath }), {
        waitUntil: () => {},
      }),
    ).toThrow(/partnerHiring\.handler/);
  });
});

describe('a drain with `withinMs`', () => {
  const stage = perTest(openStage, ({ close }) => close());

  it('ends in time although the receiver hangs, counts no attempt, and releases the lease', async () => {
    const { keyId, events } = await stage.keyWithEvents(12);
    const hanging = hang(stage.transport);
    const began = stage.clock.now();
    let endedAt = Number.NaN;
    const drained = stage
      .worker()
      .drain({ withinMs: 2_000 })
      .then(() => {
        endedAt = stage.clock.now();
      });
    for (let step = 0; step < 25; step += 1) await stage.clock.advance(100);
    await drained;
    expect(endedAt - began).toBeLessThanOrEqual(2_000);
    expect(hanging.count()).toBeGreaterThan(0);
    stage.transport.answerWith(() => answered(200));
    await stage.worker().drain();
    const ids = new Set(stage.sent());
    expect([...ids].toSorted()).toEqual(events.map(({ id }) => id).toSorted());
    const { direct } = stage.storage;
    expect(await direct.deliveries.listAttempts({ keyId, limit: 99 })).toEqual([]);
  });

  it('does all work that fits, and counts each attempt once', async () => {
    await stage.keyWithEvents(12);
    await stage.worker().drain({ withinMs: 2_000 });
    expect(stage.sent()).toHaveLength(12);
    await stage.worker().drain({ withinMs: 2_000 });
    expect(stage.sent()).toHaveLength(12);
  });

  it('refuses a time that is not a whole number above 0', async () => {
    await expect(stage.worker().drain({ withinMs: 0 })).rejects.toThrow(
      /whole number of milliseconds above 0/,
    );
  });
});

describe('a stop with `withinMs`', () => {
  const stage = perTest(openStage, ({ close }) => close());

  it('ends in time although the receiver hangs, counts no attempt, and releases the lease', async () => {
    const { keyId } = await stage.keyWithEvents();
    const worker = stage.start();
    const hanging = hang(stage.transport);
    await until(() => hanging.count() === 1);
    const began = stage.clock.now();
    let endedAt = Number.NaN;
    const stopped = worker.stop({ withinMs: 2_000 }).then(() => {
      endedAt = stage.clock.now();
    });
    for (let step = 0; step < 25; step += 1) await stage.clock.advance(100);
    await stopped;
    expect(endedAt - began).toBeLessThanOrEqual(2_000);
    stage.transport.answerWith(() => answered(200));
    await stage.worker().drain();
    expect(stage.sent()).toHaveLength(2);
    expect(await stage.storage.direct.deliveries.listAttempts({ keyId, limit: 99 })).toEqual([]);
  });
});
