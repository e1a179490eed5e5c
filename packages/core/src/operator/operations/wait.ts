import { isAbortSignal } from '../../domain/any-realm.js';
import type { OperationId } from '../../domain/ids.js';
import type { Operation } from '../../domain/operation.js';
import type { Repositories } from '../../ports/storage.js';
import { onTimeout, stopTimeout } from '../../real-timers.js';
import type { Definitions } from '../command/definition.js';
import { id, optional, value } from '../command/fields.js';
import { record } from '../command/input.js';
import type { OperationTarget } from './operation-commands.js';
import { operationNotFound } from './operation-commands.js';

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
   * Waits until an operation has ended (done, held, stopped or failed), and returns it; without a running worker, the
   * wait does not end. Reads the operation once a second, and more often at first.
   * @throws OperatorError `OPERATION_NOT_FOUND`, also if the operation is deleted meanwhile.
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
    run: ({ read }, wait) => waitFor(read, wait),
  },
};

async function waitFor(
  read: Pick<Repositories, 'operations'>,
  { id, onProgress, signal }: OperationWait,
): Promise<Operation> {
  let shown = '';
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    const operation = await find(read, id);
    const progress = JSON.stringify([operation.state, operation.counts]);
    if (progress !== shown) onProgress?.(operation);
    shown = progress;
    if (operation.state !== 'running') return operation;
    await pause(pauseMs, signal);
  }
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
