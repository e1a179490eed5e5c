import { getEventListeners } from 'node:events';
import {
  endsOf,
  LIST,
  openTraffic,
  READ,
  refusal,
  seconds,
} from '@partner-hiring/test-support/client/traffic-stage';
import { describe, expect, test } from 'vitest';

describe('who is no longer wanted', () => {
  test('does not wait, if it was so before it asked', async () => {
    const { clock, ask, timers } = openTraffic({ maxConcurrency: 1 });
    const first = ask(READ);
    const asked = ask(READ, { signal: AbortSignal.abort('gone') });
    await clock.advance(0);
    expect(asked.end).toBe('gone');
    first.permit?.returned(null);
    await clock.advance(0);
    expect(timers.running).toBe(0);
  });

  test('is told so at once while it waits, and the next in the queue leaves in its place', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const ending = new AbortController();
    const first = ask(READ);
    const gone = ask(READ, { signal: ending.signal });
    const next = ask(READ);
    await clock.advance(0);
    ending.abort('gone');
    await clock.advance(0);
    expect(endsOf([first, gone, next])).toEqual(['left', 'gone', 'waits']);
    first.permit?.returned(null);
    await clock.advance(0);
    expect(next.end).toBe('left');
  });

  test('gives its leave back if it had just got it', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const ending = new AbortController();
    const gone = ask(READ, { signal: ending.signal });
    ending.abort('gone');
    const next = ask(READ);
    await clock.advance(0);
    expect(endsOf([gone, next])).toEqual(['gone', 'left']);
  });

  test('leaves nothing behind on a signal that many requests share', async () => {
    const { clock, ask } = openTraffic();
    const { signal } = new AbortController();
    const asked = ask(READ, { signal });
    await clock.advance(0);
    expect(asked.end).toBe('left');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('who has waited for as long as it may', () => {
  test('leaves the queue, and nobody else does', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const first = ask(READ);
    const late = ask(READ, { withinMs: seconds(10) });
    const others = [ask(READ), ask(READ), ask(LIST), ask(LIST)];
    await clock.advance(seconds(9));
    expect(late.end).toBe('waits');
    await clock.advance(seconds(1));
    expect(late).toMatchObject({ end: 'given up', permit: null });
    for (const asked of [first, ...others]) {
      asked.permit?.returned(null);
      await clock.advance(0);
    }
    for (const asked of others) {
      asked.permit?.returned(null);
      await clock.advance(0);
    }
    expect(endsOf(others)).toEqual(Array(4).fill('left'));
  });

  test('keeps no timer running: a process may end', async () => {
    const { clock, ask, timers } = openTraffic();
    const first = ask(READ);
    await clock.advance(0);
    first.permit?.returned(refusal(60, { scope: 'partner' }));
    const late = ask(READ, { withinMs: seconds(10) });
    await clock.advance(seconds(10));
    expect(late.end).toBe('given up');
    expect(timers.running).toBe(0);
  });
});

describe('a request in a queue', () => {
  test('leaves before those that asked later', async () => {
    const { clock, ask } = openTraffic({ maxConcurrency: 1 });
    const asked = [ask(READ), ask(READ), ask(READ)];
    await clock.advance(0);
    asked[0]?.permit?.returned(null);
    await clock.advance(0);
    expect(endsOf(asked)).toEqual(['left', 'left', 'waits']);
  });

  test('needs no timer while it waits for another one to return', async () => {
    const { clock, ask, timers } = openTraffic({ maxConcurrency: 1 });
    const first = ask(READ);
    await clock.advance(0);
    first.permit?.returned(refusal(10, { scope: 'partner' }));
    await clock.advance(seconds(10));
    const [second, third] = [ask(READ), ask(READ)];
    await clock.advance(0);
    expect(endsOf([second, third])).toEqual(['left', 'waits']);
    const { begun } = timers;
    await clock.advance(seconds(100));
    expect(timers).toEqual({ begun, running: 1 });
  });
});
