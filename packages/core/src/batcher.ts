import { StorageUnavailable } from './errors.js';
import { onImmediate } from './real-timers.js';

/** Runs calls in batches. Calls that arrive while a batch runs form the next one. */
export interface Batcher<Call, Answer> {
  (call: Call): Promise<Answer>;
}

export interface BatcherOptions {
  readonly maxBatch: number;
  /**
   * If true, a batcher that is idle waits one event-loop turn before it starts a batch. More calls then share
   * one commit.
   */
  readonly gathers: boolean;
  readonly onBatch: (size: number) => void;
  readonly onBroken: (size: number, err: unknown) => void;
}

/** A transaction with this many calls takes about ten milliseconds. */
const DEFAULT_MAX_BATCH = 256;

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Creates a batcher. If `run` rejects, the batcher runs each call of the batch alone. If `run` rejects with
 * `StorageUnavailable`, all calls of the batch reject. `run` must return its answers in the order of the
 * calls.
 */
export function createBatcher<Call, Answer>(
  run: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  options: Partial<BatcherOptions> = {},
): Batcher<Call, Answer> {
  const maxBatch = options.maxBatch ?? DEFAULT_MAX_BATCH;
  const gathers = options.gathers ?? false;
  let queue: Waiting<Call, Answer>[] = [];
  let busy: Promise<void> | null = null;

  function startAfterTurn(known: number, start: () => void): void {
    onImmediate(() => {
      const isGrowing = queue.length > known && queue.length < maxBatch;
      if (gathers && isGrowing) startAfterTurn(queue.length, start);
      else start();
    });
  }

  /** The first call runs the batch, so that traces show the batch under that call. */
  async function runAfter(turn: Promise<void>): Promise<void> {
    await turn;
    const batch = queue.slice(0, maxBatch);
    queue = queue.slice(maxBatch);
    options.onBatch?.(batch.length);
    await runBatch(batch);
    if (queue.length === 0) busy = null;
  }

  async function runBatch(batch: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ call }) => call));
      if (answers.length !== batch.length) throw new Error('A batch must return one answer for each call.');
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (batch.length === 1 || error instanceof StorageUnavailable) {
        for (const { reject } of batch) reject(error);
      } else {
        options.onBroken?.(batch.length, error);
        for (const waiting of batch) await runBatch([waiting]);
      }
    }
  }

  return (call) =>
    new Promise<Answer>((resolve, reject) => {
      const isFirst = queue.length % maxBatch === 0;
      queue.push({ call, resolve, reject });
      if (isFirst) busy = runAfter(busy ?? new Promise((start) => startAfterTurn(0, start)));
    });
}
