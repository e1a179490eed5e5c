import { expect, it } from 'vitest';
import { createPollPlan } from './poll-plan.js';

const POLL_EVERY_MS = 1_000;
const NOW = 1_750_000_000_000;

it('looks at once, for due deliveries too, and then with every poll', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  expect(plan.isWoken()).toBe(false);
  expect([plan.isDue(NOW), plan.begin(NOW)]).toEqual([true, true]);
  expect([plan.at(), plan.isDue(NOW + 999), plan.isDue(NOW + 1_000)]).toEqual([NOW + 1_000, false, true]);
});

it('looks at once again where there is more than it asked for', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.ended(NOW, true);
  expect([plan.isDue(NOW), plan.begin(NOW)]).toEqual([true, true]);
});

it('polls no sooner than a whole poll after a look, however long that took', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.ended(NOW + 1_500, false);
  expect([plan.at(), plan.isDue(NOW + 1_501)]).toEqual([NOW + 2_500, false]);
});

it('puts off nothing that it was told of during a look', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.wake(NOW + 700, false);
  plan.ended(NOW + 1_500, false);
  expect([plan.isDue(NOW + 1_500), plan.begin(NOW + 1_500)]).toEqual([true, true]);
  plan.wake(NOW + 1_600, true);
  plan.ended(NOW + 1_700, false);
  expect(plan.at()).toBe(NOW + 1_600);
});

it('puts off no look that is due already for being told of something', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.ended(NOW, true);
  plan.wake(NOW + 1, false);
  expect(plan.at()).toBe(NOW);
});

it('puts off no due deliveries with a look that did not ask for them', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  plan.wake(NOW + 100, true);
  plan.begin(NOW + 100);
  plan.ended(NOW + 200, false);
  expect(plan.at()).toBe(NOW + 1_000);
});

it('looks soon after a nudge, and no sooner than 5 ms after the last look', () => {
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

it('asks for due deliveries after a nudge that may be for one, and with the poll whatever the nudges were for', () => {
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

it('looks when the clock was set back', () => {
  const plan = createPollPlan(NOW, POLL_EVERY_MS);
  plan.begin(NOW);
  expect([plan.isDue(NOW - 60_000), plan.begin(NOW - 60_000)]).toEqual([true, true]);
});
