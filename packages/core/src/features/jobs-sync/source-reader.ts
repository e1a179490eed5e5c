import { isError } from '../../domain/any-realm.js';
import type { JobSource } from '../../groups/jobs/source-job.js';
import { copyInput } from '../../operator/command/copy-input.js';

export interface SourceReader {
  /**
   * Returns up to `count` rows, and fewer only at the end. Rejects with the error of the source, or with the reason
   * that was passed to `cancel`.
   */
  take(count: number): Promise<readonly unknown[]>;
  /** The number of the row that the reader waits for. Null if it does not wait. */
  awaitedRow(): number | null;
  /** Ends the read. A call of `take` then rejects with the reason, even if the source never answers. */
  cancel(reason: unknown): void;
}

export function createSourceReader(source: JobSource): SourceReader {
  const isAsync = Symbol.asyncIterator in source;
  const iterator: Iterator<unknown> | AsyncIterator<unknown> = isAsync
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
  let asked = 0;
  let waiting: { readonly row: number; readonly reject: (reason: unknown) => void } | null = null;
  let cancelled: { readonly reason: unknown } | null = null;
  let isOver = false;

  /**
   * Creates a promise for each row. With `Promise.race`, the promise of the cancellation would keep all rows in memory.
   */
  function next(): Promise<IteratorResult<unknown>> {
    return new Promise((resolve, reject) => {
      asked += 1;
      waiting = { row: asked, reject };
      Promise.resolve(iterator.next()).then(resolve, reject);
    });
  }

  return {
    async take(count) {
      const rows: unknown[] = [];
      while (!isOver && rows.length < count) {
        if (cancelled !== null) throw cancelled.reason;
        const result = isAsync ? await next() : (iterator as Iterator<unknown>).next();
        if (result.done === true) isOver = true;
        else rows.push(copyRow(result.value));
      }
      waiting = null;
      return rows;
    },
    awaitedRow: () => waiting?.row ?? null,
    cancel(reason) {
      if (isOver || cancelled !== null) return;
      cancelled = { reason };
      waiting?.reject(reason);
      void release(iterator);
    },
  };
}

/** The source may use the object again for its next row. A row that cannot be copied is one that cannot be read. */
function copyRow(row: unknown): unknown {
  try {
    return copyInput(row);
  } catch (error) {
    return isError(error) ? error : new Error('The row cannot be read.');
  }
}

/** May never resolve if the source hangs. Ignores errors: the read has failed or was stopped anyway. */
async function release(iterator: Iterator<unknown> | AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {}
}
