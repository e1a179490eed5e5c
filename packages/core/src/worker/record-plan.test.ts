import { expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/clock.js';
import { createRecordPlan } from './record-plan.js';

const EVERY_MS = 100;

it('is due with the next beat, the same for all that end before it', async () => {
  const clock = createFakeClock();
  const plans = [createRecordPlan(clock, EVERY_MS), createRecordPlan(clock, EVERY_MS)];
  for (const plan of plans) {
    await clock.advance(30);
    plan.plan(false);
  }
  const [first, second] = plans.map((plan) => plan.at());
  expect(first).toBe(second);
  expect(plans.map((plan) => [plan.isPending(), plan.isDue()])).toEqual([
    [true, false],
    [true, false],
  ]);
  await clock.advance(40);
  expect(plans.map((plan) => [plan.isPending(), plan.isDue()])).toEqual([
    [false, true],
    [false, true],
  ]);
});

it('is due at once where it must be, and never while nothing has ended', () => {
  const plan = createRecordPlan(createFakeClock(), EVERY_MS);
  expect([plan.at(), plan.isPending(), plan.isDue()]).toEqual([Infinity, false, false]);
  plan.plan(false);
  plan.plan(true);
  expect(plan.isDue()).toBe(true);
  plan.clear();
  expect([plan.at(), plan.isDue()]).toEqual([Infinity, false]);
});

it('is due when the clock was set back', () => {
  let now = 1_000_000;
  const plan = createRecordPlan({ now: () => now }, EVERY_MS);
  plan.plan(false);
  now -= 60_000;
  expect(plan.isDue()).toBe(true);
});
