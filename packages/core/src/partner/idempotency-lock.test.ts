import { describe, expect, it } from 'vitest';
import { IDEMPOTENCY_WAIT_MS } from '../domain/idempotency.js';
import { createIdempotencyLock } from './idempotency-lock.js';

function manualClock() {
  const sleeps: { ms: number; end: () => void }[] = [];
  return {
    sleeps,
    clock: {
      now: () => 0,
      sleep: (ms: number) => new Promise<void>((resolve) => sleeps.push({ ms, end: resolve })),
    },
  };
}

function manualWork() {
  const started: { end: (outcome: string) => void; fail: (error: Error) => void }[] = [];
  const work = () => new Promise<string>((resolve, reject) => started.push({ end: resolve, fail: reject }));
  return { started, work };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const binds = (outcome: string) => outcome === 'created' || outcome === 'replayed';

describe('concurrent requests with the same idempotency key', () => {
  it('wait for the first, and run at once after it has bound the key', async () => {
    const { started, work } = manualWork();
    const withLock = createIdempotencyLock(manualClock().clock, binds);
    const answers = [withLock('k', work), withLock('k', work), withLock('k', work)];
    await tick();
    expect(started).toHaveLength(1);
    started[0]?.end('created');
    await tick();
    expect(started).toHaveLength(3);
    for (const other of started.slice(1)) other.end('replayed');
    expect(await Promise.all(answers)).toEqual(['created', 'replayed', 'replayed']);
  });

  it.each([
    ['was refused', (holder: { end: (o: string) => void }) => holder.end('refused')],
    ['failed', (holder: { fail: (e: Error) => void }) => holder.fail(new Error('down'))],
  ])('run one at a time if the first %s', async (_, endFirst) => {
    const { started, work } = manualWork();
    const withLock = createIdempotencyLock(manualClock().clock, binds);
    const first = withLock('k', work).catch((error: Error) => error.message);
    const others = [withLock('k', work), withLock('k', work)];
    await tick();
    const [holder] = started;
    if (holder) endFirst(holder);
    await first;
    await tick();
    expect(started).toHaveLength(2);
    started[1]?.end('created');
    await tick();
    started[2]?.end('replayed');
    expect(await Promise.all(others)).toEqual(['created', 'replayed']);
  });

  it('time out after two seconds without running', async () => {
    const { sleeps, clock } = manualClock();
    const { started, work } = manualWork();
    const withLock = createIdempotencyLock(clock, binds);
    void withLock('k', work);
    const late = withLock('k', work);
    await tick();
    expect(sleeps.map(({ ms }) => ms)).toEqual([IDEMPOTENCY_WAIT_MS]);
    sleeps[0]?.end();
    expect(await late).toBeNull();
    expect(started).toHaveLength(1);
  });

  it('do not wait for those with another key', async () => {
    const { started, work } = manualWork();
    const withLock = createIdempotencyLock(manualClock().clock, binds);
    void withLock('a', work);
    void withLock('b', work);
    await tick();
    expect(started).toHaveLength(2);
  });
});
