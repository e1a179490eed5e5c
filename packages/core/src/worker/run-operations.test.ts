import { createFakeClock, settle } from '@partner-hiring/test-support/clock';
import { expect, it } from 'vitest';
import { noLogger } from '../defaults/redacting-logger.js';
import { HOST_ACTOR } from '../domain/audit.js';
import type { Operation } from '../domain/operation.js';
import type { OperationStepResult } from '../ports/steppers.js';
import { createLoop, type Loop } from './loop.js';
import { createOperationPoller } from './run-operations.js';

const PAUSE_MS = 50;
const POLL_MS = 10_000;

const OPERATION: Operation = {
  startedBy: HOST_ACTOR,
  id: 'op_1',
  plan: { kind: 'retry_now', keyId: 'key_1' },
  state: 'running',
  lastError: null,
  counts: { done: 1, skipped: 0, total: null },
  failed: null,
  sync: null,
  createdAt: 0,
  updatedAt: 0,
  finishedAt: null,
};
const STEPPED: OperationStepResult = { kind: 'stepped', operation: OPERATION };

/** A running loop. `step` runs within each step. */
function setUp(step: (number: number, wake: () => void) => OperationStepResult | null) {
  const clock = createFakeClock();
  const at: number[] = [];
  const startedAt = clock.now();
  const stepper = {
    async step() {
      at.push(clock.now() - startedAt);
      return step(at.length, task.wake);
    },
  };
  const onMore = () => loop.wake();
  const task = createOperationPoller({ stepper, clock, logger: noLogger, onMore });
  const loop: Loop = createLoop(task, { everyMs: POLL_MS, clock, logger: noLogger });
  loop.start();
  return { clock, at, task };
}

it('pauses after a step whose own commit wakes the worker', async () => {
  const { clock, at } = setUp((number, wake) => {
    if (number < 4) wake();
    return number < 4 ? STEPPED : null;
  });
  await settle();
  await clock.advance(PAUSE_MS - 1);
  expect(at).toEqual([0]);
  await clock.advance(1);
  for (let pause = 0; pause < 3; pause += 1) await clock.advance(PAUSE_MS);
  expect(at).toEqual([0, 50, 100, 150]);
});

it('keeps the pause when other commands wake the worker', async () => {
  const { clock, at, task } = setUp((number) => (number < 3 ? STEPPED : null));
  await settle();
  task.wake();
  await clock.advance(PAUSE_MS - 1);
  task.wake();
  await settle();
  expect(at).toEqual([0]);
  await clock.advance(1);
  expect(at).toEqual([0, 50]);
});

it('polls again if an operation starts while a poll finds none', async () => {
  const { clock, at, task } = setUp((number, wake) => {
    if (number === 1) wake();
    return null;
  });
  await settle();
  expect(at).toEqual([0, 0]);
  await clock.advance(PAUSE_MS);
  task.wake();
  await settle();
  expect(at).toEqual([0, 0, 50]);
});
