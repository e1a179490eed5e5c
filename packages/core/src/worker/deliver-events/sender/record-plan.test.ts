import { expect, it } from 'vitest';
import { createRecordPlan } from './record-plan.js';

const EVERY_MS = 100;
/** On a beat. */
const NOW = 1_750_000_000_000;

it('is due with the next beat, the same for all that end before it', () => {
  const plans = [createRecordPlan(EVERY_MS), createRecordPlan(EVERY_MS)];
  for (const [index, plan] of plans.entries()) plan.plan(NOW + 30 * (index + 1), false);
  expect(plans.map((plan) => plan.at())).toEqual([NOW + EVERY_MS, NOW + EVERY_MS]);
  expect(plans.map((plan) => [plan.isPending(NOW + 60), plan.isDue(NOW + 60)])).toEqual([
    [true, false],
    [true, false],
  ]);
  expect(plans.map((plan) => [plan.isPending(NOW + 100), plan.isDue(NOW + 100)])).toEqual([
    [false, true],
    [false, true],
  ]);
});

it('is due at once where it must be, and never while nothing has ended', () => {
  const plan = createRecordPlan(EVERY_MS);
  expect([plan.at(), plan.isPending(NOW), plan.isDue(NOW)]).toEqual([Infinity, false, false]);
  plan.plan(NOW, false);
  plan.plan(NOW, true);
  expect(plan.isDue(NOW)).toBe(true);
  plan.clear();
  expect([plan.at(), plan.isDue(NOW)]).toEqual([Infinity, false]);
});

it('expects the next beat only where something was recorded with the last', () => {
  const plan = createRecordPlan(EVERY_MS);
  expect(plan.expectedAt(NOW)).toBe(Infinity);
  plan.plan(NOW - 1, false);
  plan.clear();
  expect(plan.expectedAt(NOW + 1)).toBe(NOW + EVERY_MS);
  expect(plan.expectedAt(NOW + EVERY_MS)).toBe(Infinity);
  plan.clear();
  expect([plan.expectedAt(NOW + 1), plan.expectedAt(NOW + EVERY_MS)]).toEqual([NOW + EVERY_MS, Infinity]);
});

it('puts off nothing that has ended for what ends after it', () => {
  const plan = createRecordPlan(EVERY_MS);
  plan.plan(NOW - 1, false);
  plan.plan(NOW + 1, false);
  expect(plan.at()).toBe(NOW);
  plan.plan(NOW + 2, true);
  plan.plan(NOW + 3, false);
  expect(plan.at()).toBe(NOW + 2);
});

it('without a beat is due at once, and expects nothing', () => {
  const plan = createRecordPlan(0);
  plan.plan(NOW, false);
  expect([plan.at(), plan.isDue(NOW), plan.isPending(NOW)]).toEqual([NOW, true, false]);
  plan.clear();
  expect(plan.expectedAt(NOW)).toBe(Infinity);
});

it('is due when the clock was set back', () => {
  const plan = createRecordPlan(EVERY_MS);
  plan.plan(NOW, false);
  expect(plan.isDue(NOW - 60_000)).toBe(true);
});
