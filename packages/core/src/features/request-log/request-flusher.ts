import { SECOND_MS } from '../../domain/time.js';
import type { Clock } from '../../ports/runtime.js';
import type { Repositories } from '../../ports/storage.js';
import type { RequestBatch, RequestBuffer, StatusTally } from './request-buffer.js';

/** How long an entry waits in memory at most. A killed process loses the entries of this time. */
export const FLUSH_EVERY_MS = SECOND_MS;
/** The most entries of one write. Such a write takes a few milliseconds, during which SQLite has no other writer. */
export const FLUSH_ROWS = 500;
/** The longest pause between attempts while the storage fails. */
const MAX_PAUSE_MS = 30 * SECOND_MS;
/**
 * How many writes may fail in a row, which takes about four minutes. After that, the flusher waits for the next
 * request. Otherwise, a process whose storage is closed would never end.
 */
const MAX_FAILURES = 12;

export interface RequestFlusherDeps {
  readonly direct: Pick<Repositories, 'requests' | 'readiness'>;
  readonly clock: Clock;
  readonly buffer: RequestBuffer;
  readonly statuses: Pick<StatusTally, 'flush'>;
  /** Called after each failed write. `lost` is the number of entries that had no space in the buffer. */
  readonly onFailed: (err: unknown, lost: number, isFirst: boolean) => void;
}

export interface RequestFlusher {
  /** Call it after each entry. Starts the wait for the next write. If a full batch waits, writes it at once. */
  wake(): void;
  /** Writes everything that waits now. Never rejects: if the storage fails, the entries stay in the buffer. */
  flush(): Promise<void>;
  /** Writes what waits, and stops. */
  close(): Promise<void>;
}

/** Writes the buffer to the storage, one batch at a time. */
export function createRequestFlusher(deps: RequestFlusherDeps): RequestFlusher {
  const { direct, clock, buffer, statuses, onFailed } = deps;
  let failures = 0;
  let isClosed = false;
  let waiting: AbortController | null = null;
  let isRunning = false;
  let lastWrite: Promise<void> = Promise.resolve();

  /** Writes the buffer when the write in progress has ended. Entries that arrive later wait for the next write. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(writeAll);
    return lastWrite;
  }

  async function writeAll(): Promise<void> {
    for (let left = buffer.size(); left > 0; left -= FLUSH_ROWS) {
      const batch = buffer.take(FLUSH_ROWS);
      if (!(await write(batch))) return;
    }
    await statuses.flush();
  }

  async function write(batch: RequestBatch): Promise<boolean> {
    let left = batch;
    try {
      if (left.rows.length + left.floods.length > 0)
        await direct.requests.add(unique([...left.rows, ...left.floods]));
      left = { ...left, rows: [], floods: [] };
      if (left.reads.length > 0) await direct.requests.addReads(left.reads);
      // The counts of reads are added, so they must not be written twice.
      left = { ...left, reads: [] };
      if (left.marks.length > 0) await direct.readiness.add(left.marks);
      failures = 0;
      return true;
    } catch (err) {
      const lost = buffer.putBack(left);
      failures += 1;
      onFailed(err, lost, failures === 1);
      return false;
    }
  }

  async function run(): Promise<void> {
    let tries = 0;
    while (!isClosed && buffer.size() > 0 && tries < MAX_FAILURES) {
      waiting = new AbortController();
      await clock.sleep(Math.min(MAX_PAUSE_MS, FLUSH_EVERY_MS * 2 ** failures), waiting.signal);
      waiting = null;
      if (!isClosed) await flush();
      tries = failures === 0 ? 0 : tries + 1;
    }
    // In the same turn as the last look at the buffer, so that no call of `wake` is lost.
    isRunning = false;
  }

  return {
    wake() {
      if (isClosed) return;
      if (failures === 0 && buffer.rows() >= FLUSH_ROWS) waiting?.abort('full');
      if (isRunning) return;
      isRunning = true;
      void run();
    },
    flush,
    async close() {
      isClosed = true;
      waiting?.abort('closed');
      await flush();
    },
  };
}

/** A statement cannot write a row twice. Ids repeat only if the host's `random.token` repeats. */
function unique<Row extends { readonly requestId: string }>(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.requestId, row])).values()];
}
