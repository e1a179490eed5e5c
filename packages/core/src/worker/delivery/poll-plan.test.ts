import { expect, it } from 'vitest';
import { createPollPlan } from './poll-plan.js';

const POLL_EVERY_MS = 1_000;
const NOW = 1_750_000_000_000;

it('polls at once, also for due deliveries, then at each interval', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  expect(plan.isWoken()).toBe(false);
  expect([plan.isDue(NOW), plan.begin(NOW)]).toEqual([true, true]);
  expect([plan.at(), plan.isDue(NOW + 999), plan.isDue(NOW + 1_000)]).toEqual([NOW + 1_000, false, true]);
});

it('polls again at once after a full poll', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.ended(NOW, true);
  expect([plan.isDue(NOW), plan.begin(NOW)]).toEqual([true, true]);
});

it('waits a whole interval after a slow poll', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.ended(NOW + 1_500, false);
  expect([plan.at(), plan.isDue(NOW + 1_501)]).toEqual([NOW + 2_500, false]);
});

it('keeps a wake that came during a poll', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.wake(NOW + 700, false);
  plan.ended(NOW + 1_500, false);
  expect([plan.isDue(NOW + 1_500), plan.begin(NOW + 1_500)]).toEqual([true, true]);
  plan.wake(NOW + 1_600, true);
  plan.ended(NOW + 1_700, false);
  expect(plan.at()).toBe(NOW + 1_600);
});

it('does not postpone a due poll when woken', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.ended(NOW, true);
  plan.wake(NOW + 1, false);
  expect(plan.at()).toBe(NOW);
});

it('does not postpone due deliveries with a poll for events', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.wake(NOW + 100, true);
  plan.begin(NOW + 100);
  plan.ended(NOW + 200, false);
  expect(plan.at()).toBe(NOW + 1_000);
});

it('polls soon after a wake, at least 5 ms after the last poll', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  expect(plan.isWoken()).toBe(false);
  plan.wake(NOW + 1, false);
  expect([plan.isWoken(), plan.at()]).toEqual([true, NOW + 5]);
  plan.begin(NOW + 5);
  expect(plan.isWoken()).toBe(false);
  plan.wake(NOW + 100, false);
  expect(plan.at()).toBe(NOW + 100);
});

it('asks for due deliveries at each interval, and after a wake that may be for one', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.wake(NOW + 100, true);
  expect(plan.begin(NOW + 100)).toBe(false);
  expect(plan.at()).toBe(NOW + 1_000);
  plan.wake(NOW + 200, false);
  expect(plan.begin(NOW + 200)).toBe(true);
  plan.wake(NOW + 1_200, true);
  expect(plan.begin(NOW + 1_200)).toBe(true);
});

it('polls after the clock was set back', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  expect([plan.isDue(NOW - 60_000), plan.begin(NOW - 60_000)]).toEqual([true, true]);
});
