import type { Clock } from '../ports/runtime.js';

/** Work of the host that took too long. It may still end; nobody waits for it. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * What the work comes to, if it does within that time: a host's function that never ends must not stop a
 * loop for good.
 *
 * @throws DeadlinePassed otherwise.
 */
export async function withDeadline<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      work,
      clock.sleep(ms, ended.signal).then(() => {
        throw new DeadlinePassed(`It did not end within ${ms} ms.`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
