import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Starts to count event-loop turns. `end` stops and returns the count. */
export function countTurns(): { readonly end: () => number } {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return {
    end: () => {
      clearImmediate(next);
      return turns;
    },
  };
}

/** Returns the bytes in use after garbage collection: heap and external buffers. */
export async function usedMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function')
    throw new Error('Garbage collection is not exposed: run Node with --expose-gc.');
  // The memory of a closed socket is freed a few event-loop turns later.
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
