import { isAbortSignal } from '../../domain/any-realm.js';
import type { OperationId } from '../../domain/ids.js';
import type { Operation } from '../../domain/operation.js';
import type { Instant } from '../../domain/time.js';
import { isWorkerAlive, MOST_WORKERS } from '../../domain/worker-instance.js';
import { OperatorError } from '../../errors.js';
import type { Definitions } from '../../operator/command/definition.js';
import { id, optional, value } from '../../operator/command/fields.js';
import { record } from '../../operator/command/input.js';
import { operationNotFound } from '../../operator/find-or-throw.js';
import type { Runner } from '../../operator/scope.js';
import type { Repositories } from '../../ports/storage.js';
import { onTimeout, stopTimeout } from '../../real-timers.js';
import type { OperationTarget } from './commands.js';

/** An operation to wait for. */
export interface OperationWait extends OperationTarget {
  /**
   * Called with the operation when the wait begins, and each time its state or its counts have changed; default:
   * nothing.
   */
  readonly onProgress?: ((operation: Operation) => void) | undefined;
  /** Ends the wait, not the operation, and `wait` throws the signal's reason; default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Waits for operations. `operator.within` does not offer this, because the host's transaction would stay open. */
export interface OperationWaiter {
  /**
   * Waits until an operation has ended (done, held, stopped or failed), and returns it. Reads the operation once a
   * second, and more often at first.
   * @throws OperatorError `OPERATION_NOT_FOUND`, also if the operation is deleted meanwhile; `NO_WORKER` if the operation
   *   has not moved for ten seconds and no worker reports that it runs. The operation stays.
   * @example
   * const { state, counts } = await operator.operations.wait({
   *   id: operationId,
   *   onProgress: ({ counts }) => console.log(counts.done, counts.total),
   *   signal: AbortSignal.timeout(60_000),
   * });
   */
  wait(target: OperationWait): Promise<Operation>;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

export const operationWaiterDefinitions: Definitions<OperationWaiter> = {
  wait: {
    summary: 'Waits until an operation has ended',
    input: record({
      id: id('operation'),
      onProgress: optional(
        value<(operation: Operation) => void>((given) => typeof given === 'function', 'must be a function'),
      ),
      signal: optional(value<AbortSignal>(isAbortSignal, 'must be an AbortSignal')),
    }),
    run: (context, wait) => waitFor(context, wait),
  },
};

/** How long an operation may stand still before the wait looks for a worker. One that starts reports itself by then. */
const PATIENCE_MS = 10_000;

/** @param patienceMs - how long the operation may stand still before the wait looks for a worker. */
export async function waitFor(
  { read, now }: Pick<Runner, 'now' | 'read'>,
  { id, onProgress, signal }: OperationWait,
  patienceMs = PATIENCE_MS,
): Promise<Operation> {
  let shown = '';
  let stoodMs = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    const operation = await find(read, id);
    const progress = JSON.stringify([operation.state, operation.counts]);
    if (progress !== shown) {
      onProgress?.(operation);
      stoodMs = 0;
    }
    shown = progress;
    if (operation.state !== 'running') return operation;
    if (stoodMs >= patienceMs) {
      await assertWorker(read, await now(), id);
      stoodMs = 0;
    }
    await pause(pauseMs, signal);
    stoodMs += pauseMs;
  }
}

/** @throws OperatorError `NO_WORKER` if no worker is alive. */
async function assertWorker(
  { workers }: Pick<Repositories, 'workers'>,
  now: Instant,
  id: OperationId,
): Promise<void> {
  const seen = await workers.list(MOST_WORKERS);
  if (seen.some((worker) => isWorkerAlive(worker, now))) return;
  throw new OperatorError(
    'NO_WORKER',
    `Operation ${id} waits for a worker, and none runs. Start one with partnerHiring.worker.start(), then wait again.`,
  );
}

async function find({ operations }: Pick<Repositories, 'operations'>, id: OperationId): Promise<Operation> {
  const operation = await operations.find(id);
  if (operation === null) throw operationNotFound(id);
  return operation;
}

/** Ends early if the signal is aborted. */
function pause(forMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stopTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = onTimeout(end, forMs);
    signal?.addEventListener('abort', end);
  });
}
