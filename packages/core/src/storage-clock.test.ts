import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, type Instant, SECOND_MS } from './domain/time.js';
import { createStorageClock } from './storage-clock.js';

const START = Date.UTC(2026, 0, 5, 9);

function createStage(aheadMs = 0) {
  let storageNow = START;
  let processAhead = aheadMs;
  let onTheWay: () => void = () => {};
  let reads = 0;
  const time = {
    now: async (): Promise<Instant> => {
      reads += 1;
      const at = storageNow;
      await Promise.resolve();
      onTheWay();
      return at;
    },
  };
  return {
    time,
    clock: createStorageClock(time, { now: () => storageNow + processAhead }),
    pass(ms: number) {
      storageNow += ms;
    },
    step(ms: number) {
      processAhead += ms;
    },
    during(happens: () => void) {
      onTheWay = happens;
    },
    storageNow: () => storageNow,
    reads: () => reads,
  };
}

describe('the storage’s time', () => {
  it('is the process’s time before the first sample', () => {
    const { clock } = createStage(DAY_MS);
    expect(clock.now()).toBe(START + DAY_MS);
  });

  it.each([-DAY_MS, 0, DAY_MS])(
    'advances from the last sample, on a process that is %i ms ahead',
    async (ms) => {
      const { clock, pass, reads } = createStage(ms);
      expect(await clock.sync()).toBe(START);
      pass(700);
      expect(clock.now()).toBe(START + 700);
      expect(reads()).toBe(1);
    },
  );

  it('is sampled again after a second, and not before', async () => {
    const { clock, pass, reads } = createStage();
    await clock.sync();
    pass(SECOND_MS - 1);
    expect(await clock.sync()).toBe(START + SECOND_MS - 1);
    expect(reads()).toBe(1);
    pass(1);
    await clock.sync();
    expect(reads()).toBe(2);
  });

  it.each([-HOUR_MS, -1, SECOND_MS, HOUR_MS])(
    'is exact after the next sync if the process’s clock was changed by %i ms',
    async (ms) => {
      const { clock, step, reads } = createStage();
      await clock.sync();
      step(ms);
      expect(await clock.sync()).toBe(START);
      expect(reads()).toBe(2);
    },
  );

  it('does not go back with the process’s clock', async () => {
    const { clock, pass, step } = createStage();
    await clock.sync();
    pass(400);
    step(-HOUR_MS);
    expect(clock.now()).toBe(START);
  });

  it('is correct after the machine slept, without a sync', async () => {
    const { clock, pass } = createStage();
    await clock.sync();
    pass(HOUR_MS);
    expect(clock.now()).toBe(START + HOUR_MS);
  });

  it('is sampled once for concurrent callers', async () => {
    const { clock, reads } = createStage();
    expect(await Promise.all([clock.sync(), clock.sync(), clock.sync()])).toEqual([START, START, START]);
    expect(reads()).toBe(1);
  });

  it('is sampled within a given transaction, separately for each caller', async () => {
    const { clock, reads } = createStage();
    let readsWithin = 0;
    const within = {
      now: async () => {
        readsWithin += 1;
        return START;
      },
    };
    await Promise.all([clock.sync(within), clock.sync(within), clock.sync()]);
    expect([readsWithin, reads()]).toEqual([2, 1]);
  });

  it('cannot be sampled while the storage fails, and can afterwards', async () => {
    let isDown = true;
    const now = async () => {
      if (isDown) throw new Error('down');
      return START;
    };
    const clock = createStorageClock({ now }, { now: () => START + HOUR_MS });
    await expect(clock.sync()).rejects.toThrow('down');
    expect(clock.now()).toBe(START + HOUR_MS);
    isDown = false;
    expect(await clock.sync()).toBe(START);
  });
});

describe('a sample', () => {
  it('that arrives late does not set the time back', async () => {
    const { clock, pass, storageNow } = createStage();
    await clock.sync();
    const note = clock.beginReading();
    const at = storageNow();
    pass(900);
    note(at);
    expect(clock.now()).toBe(START + 900);
  });

  it('advances the time if the one before arrived late', async () => {
    const { clock, pass, during } = createStage();
    during(() => pass(300));
    expect(await clock.sync()).toBe(START);
    const note = clock.beginReading();
    note(START + 300);
    expect(clock.now()).toBe(START + 300);
  });

  it('corrects a clock that was changed by less than a second, without a sync', async () => {
    const { clock, step } = createStage();
    await clock.sync();
    step(900);
    expect(clock.now()).toBe(START + 900);
    const note = clock.beginReading();
    note(START);
    expect(clock.now()).toBe(START);
  });

  it('is as old as its request', async () => {
    const { clock, pass, reads, storageNow } = createStage();
    const note = clock.beginReading();
    const at = storageNow();
    pass(600);
    note(at);
    pass(399);
    await clock.sync();
    expect(reads()).toBe(0);
    pass(1);
    await clock.sync();
    expect(reads()).toBe(1);
  });

  it.each([
    ['frozen for an hour', ({ pass }: ReturnType<typeof createStage>) => pass(HOUR_MS)],
    ['set forward', ({ step }: ReturnType<typeof createStage>) => step(HOUR_MS)],
    ['set back', ({ step }: ReturnType<typeof createStage>) => step(-HOUR_MS)],
  ])('is repeated if the process was %s meanwhile', async (_what, happens) => {
    const stage = createStage();
    await stage.clock.sync();
    stage.pass(SECOND_MS);
    stage.during(() => {
      stage.during(() => {});
      happens(stage);
    });
    expect(await stage.clock.sync()).toBe(stage.storageNow());
    expect(stage.reads()).toBe(3);
  });

  it('is not taken a third time by one sync, however slow the storage is', async () => {
    const { clock, pass, during, reads } = createStage();
    during(() => pass(2 * SECOND_MS));
    await clock.sync();
    expect(reads()).toBe(2);
  });
});

type Happening =
  | { readonly kind: 'pass' | 'step'; readonly ms: number }
  | { readonly kind: 'look' | 'answer'; readonly tookMs: number };

const passes = fc.record({
  kind: fc.constant('pass' as const),
  ms: fc.oneof(fc.nat({ max: 1_500 }), fc.nat({ max: DAY_MS })),
});
const looks = fc.record({
  kind: fc.constantFrom('look' as const, 'answer' as const),
  tookMs: fc.nat({ max: 900 }),
});
const steps = fc.record({
  kind: fc.constant('step' as const),
  ms: fc.oneof(fc.integer({ min: -1_500, max: 1_500 }), fc.integer({ min: -DAY_MS, max: DAY_MS })),
});

async function play(
  aheadMs: number,
  happenings: readonly Happening[],
  check: (known: { offMs: number; tookMs: number; steppedMs: number; hasLooked: boolean }) => void,
): Promise<void> {
  const { clock, pass, step, during, storageNow, reads } = createStage(aheadMs);
  await clock.sync();
  let [tookMs, steppedMs] = [0, 0];
  for (const happening of happenings) {
    const before = reads();
    if (happening.kind === 'pass') pass(happening.ms);
    if (happening.kind === 'step') {
      step(happening.ms);
      steppedMs += Math.abs(happening.ms);
    }
    if (happening.kind === 'look') {
      during(() => pass(happening.tookMs));
      await clock.sync();
    }
    if (happening.kind === 'answer') {
      const note = clock.beginReading();
      const at = storageNow();
      pass(happening.tookMs);
      note(at);
    }
    if (happening.kind === 'answer' || reads() > before) {
      steppedMs = 0;
      tookMs = 'tookMs' in happening ? happening.tookMs : tookMs;
    }
    const offMs = clock.now() - storageNow();
    check({ offMs, tookMs, steppedMs, hasLooked: happening.kind === 'look' });
  }
}

const aheads = fc.integer({ min: -DAY_MS, max: DAY_MS });

it('is never ahead of the storage, nor behind by more than its round trip, while no clock changes', async () => {
  const scenario = fc.array(fc.oneof(passes, looks), { maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(aheads, scenario, (aheadMs, happenings) =>
      play(aheadMs, happenings, ({ offMs, tookMs }) => {
        expect(offMs).toBeLessThanOrEqual(0);
        expect(offMs).toBeGreaterThanOrEqual(-tookMs);
      }),
    ),
  );
});

it('is wrong by no more than the change since the last sample and its round trip', async () => {
  const scenario = fc.array(fc.oneof(passes, looks, steps), { maxLength: 30, size: 'max' });
  await fc.assert(
    fc.asyncProperty(aheads, scenario, (aheadMs, happenings) =>
      play(aheadMs, happenings, ({ offMs, tookMs, steppedMs }) => {
        expect(Math.abs(offMs)).toBeLessThanOrEqual(tookMs + steppedMs);
      }),
    ),
  );
});

it('is wrong by less than a second after a sync, however much a busy process’s clock changed', async () => {
  const short = fc.record({ kind: fc.constant('pass' as const), ms: fc.nat({ max: 50 }) });
  const scenario = fc.array(fc.oneof(short, steps), { maxLength: 5, size: 'max' });
  await fc.assert(
    fc.asyncProperty(aheads, scenario, (aheadMs, happenings) =>
      play(aheadMs, [...happenings, { kind: 'look', tookMs: 0 }], ({ offMs, hasLooked }) => {
        if (hasLooked) expect(Math.abs(offMs)).toBeLessThan(SECOND_MS);
      }),
    ),
  );
});
