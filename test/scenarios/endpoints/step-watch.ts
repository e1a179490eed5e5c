import type { Storage } from '@partner-hiring/core/ports';
import { expect } from 'vitest';
import type { HostTransaction } from '../../support/storages.js';

/** Watches what comes of each submission that a storage is asked to add in one step. */
export interface StepWatch {
  /** The same storage, watched. */
  on(storage: Storage<HostTransaction>): Storage<HostTransaction>;
  /** Whether the storage takes submissions in one step at all. */
  takesSteps(): boolean;
  /** What came of each, in their order: whether it was added. */
  readonly steps: readonly boolean[];
  /** Expects this of a storage that takes some, and nothing of one that takes none. */
  expectSteps(expected: readonly boolean[]): void;
}

/** Watches nothing yet. */
export function createStepWatch(): StepWatch {
  const steps: boolean[] = [];
  let takesSteps = false;
  return {
    on(storage) {
      const { addPresumed } = storage;
      takesSteps = addPresumed !== null;
      if (addPresumed === null) return storage;
      return {
        ...storage,
        addPresumed: async (presumed) => {
          const counted = await addPresumed(presumed);
          steps.push(counted !== null);
          return counted;
        },
      };
    },
    takesSteps: () => takesSteps,
    steps,
    expectSteps: (expected) => expect(steps).toEqual(takesSteps ? expected : []),
  };
}
