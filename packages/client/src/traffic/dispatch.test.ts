import { to } from '@partner-hiring/test-support/client/traffic-stage';
import { createFakeClock } from '@partner-hiring/test-support/clock';
import { expect, test } from 'vitest';
import { dispatch } from './dispatch.js';
import { createTrafficState, type TrafficState } from './traffic-state.js';
import { waitForLeave } from './wait-for-leave.js';

test('of jobs that nobody submits to any more no queue is kept', async () => {
  const clock = createFakeClock();
  const limits = { maxConcurrency: 8, maxRetryAfterMs: 1_000 };
  const traffic: TrafficState = createTrafficState(clock, limits, () => dispatch(traffic));
  for (const jobId of ['job_1', 'job_2']) {
    const permit = await waitForLeave(traffic, to(jobId), clock.now() + 1_000, undefined);
    expect([...traffic.queues.inTurn()]).toHaveLength(1);
    permit?.returned(null);
  }
  expect([...traffic.queues.inTurn()]).toEqual([]);
});
