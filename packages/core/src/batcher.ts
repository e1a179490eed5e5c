import { StorageUnavailable } from './errors.js';

/** Calls that arrive while a batch runs become the next batch. */
export interface Batcher<Call, Answer> {
  /** Adds a call; it resolves with its own answer, or rejects if running it alone rejects. */
  (call: Call): Promise<Answer>;
}

/** How a group runs. */
export interface BatcherOptions {
  /** The most calls in one batch: it bounds a transaction's length and a statement's parameters. */
  readonly maxBatch: number;
  /**
   * Whether a batch that starts from idle waits for those who are on their way: it starts once a turn of the
   * event loop has brought no more calls. Worth it where a batch costs much by itself, as a commit does.
   */
  readonly gathers: boolean;
  /** Told the size of each batch as it starts. */
  readonly onBatch: (size: number) => void;
  /** Told of each batch that is run again call by call, and why: where every call then succeeds, nobody else hears of it. */
  readonly onBroken: (size: number, err: unknown) => void;
}

/** Bounds a batch so that its transaction stays in the order of ten milliseconds. */
const DEFAULT_MAX_BATCH = 256;

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Collects calls and hands them over together, one batch at a time.
 *
 * An idle group starts at the end of the current turn of the event loop, so that the requests which one
 * poll of the sockets brought go together; one that gathers starts a turn or so later. A lone call waits for no
 * timer. `run` answers in the order of its calls. A batch that rejects is run again call by call: one call that
 * fails cannot take its neighbours down. Except when the storage is unavailable, which is nobody's fault: then
 * all are rejected together, because trying each by itself would wait for the same outage as many times over.
 *
 * A batch runs in the async context of its first call, so that a trace shows it below a request that is under way. Were
 * it that of the call which found the group idle, all that follows under load would show below that one for good.
 */
export function createBatcher<Call, Answer>(
  run: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  options: Partial<BatcherOptions> = {},
): Batcher<Call, Answer> {
  const maxBatch = options.maxBatch ?? DEFAULT_MAX_BATCH;
  const gathers = options.gathers ?? false;
  let queue: Waiting<Call, Answer>[] = [];
  /** Until the last batch that waits or runs has ended; null while the group is idle. */
  let busy: Promise<void> | null = null;

  /** `known` is how many calls the last turn left behind. */
  function startAfterTurn(known: number, start: () => void): void {
    setImmediate(() => {
      const isGrowing = queue.length > known && queue.length < maxBatch;
      if (gathers && isGrowing) startAfterTurn(queue.length, start);
      else start();
    });
  }

  /** Called by the first call of each batch. */
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
      if (answers.length !== batch.length) throw new Error('A batch must answer each of its calls.');
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
