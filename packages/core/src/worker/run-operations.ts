import type { OperationState } from '../domain/operation.js';
import type { Clock } from '../ports/runtime.js';
import type { OperationStepper, OperationStepResult } from '../ports/steppers.js';
import type { Logger } from '../ports/telemetry.js';
import type { PeriodicTask } from './loop.js';

/** The name of the task. */
export const RUN_OPERATIONS = 'run-operations';

export interface OperationPollerOptions {
  readonly stepper: OperationStepper;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
  /** Called when the next step may run. */
  onMore(): void;
}

export interface OperationPoller extends PeriodicTask {
  /** Polls soon. During a step and the pause after it, the poll waits for the end of the pause. */
  wake(): void;
}

/** Leaves the database to partners between two steps. */
const PAUSE_MS = 50;

/** Runs one step of an operation per poll. */
export function createOperationPoller({
  stepper,
  clock,
  logger,
  onMore,
}: OperationPollerOptions): OperationPoller {
  let isBusy = false;
  // A step's own commit wakes the worker, and so may the commits of other commands.
  let isWoken = false;

  function end(): void {
    isBusy = false;
    isWoken = false;
    onMore();
  }

  return {
    name: RUN_OPERATIONS,
    async poll() {
      isBusy = true;
      let result: OperationStepResult | null = null;
      try {
        result = await stepper.step();
      } finally {
        if (result !== null) void clock.sleep(PAUSE_MS).then(end);
        else if (isWoken) end();
        else isBusy = false;
      }
      if (result === null) return 'nothing';
      report(logger, result);
      return 'some';
    },
    idle: async () => {},
    isBusy: () => isBusy,
    wake() {
      if (isBusy) isWoken = true;
      else onMore();
    },
  };
}

function report(logger: Logger, result: OperationStepResult): void {
  const { id, plan, state, counts } = result.operation;
  const fields = { operationId: id, operation: plan.kind, counts };
  if (result.kind === 'postponed') logger.warn(fields, POSTPONED);
  else if (result.kind === 'failed') logger.error({ ...fields, err: result.err }, failureText(state));
  else if (state === 'done') logger.info(fields, 'An operation is done.');
}

const POSTPONED =
  'A step of an operation waits for other transactions, such as a hand-over of the inbox; the worker repeats it.';

function failureText(state: OperationState): string {
  return state === 'failed'
    ? 'A step of an operation failed, and the operation was given up.'
    : 'A step of an operation failed; the worker repeats it.';
}
