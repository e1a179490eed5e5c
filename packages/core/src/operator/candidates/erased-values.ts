import { ERASED_KINDS, type ErasureCounts } from '../../domain/erasure.js';
import type { ApplicationId } from '../../domain/ids.js';

/** For each kind of value, the application of each erased value. */
export type ErasedValues = { readonly [Kind in keyof ErasureCounts]: readonly ApplicationId[] };

function countsFrom(countOf: (kind: keyof ErasureCounts) => number): ErasureCounts {
  return Object.fromEntries(ERASED_KINDS.map((kind) => [kind, countOf(kind)])) as unknown as ErasureCounts;
}

/** Counts the erased values of all applications. */
export function countAll(values: ErasedValues): ErasureCounts {
  return countsFrom((kind) => values[kind].length);
}

/** Counts the erased values of one application. */
export function countOfOne(values: ErasedValues, id: ApplicationId): ErasureCounts {
  return countsFrom((kind) => values[kind].filter((each) => each === id).length);
}

/** Adds up counts. */
export function sumCounts(all: readonly ErasureCounts[]): ErasureCounts {
  return countsFrom((kind) => all.reduce((sum, counts) => sum + counts[kind], 0));
}

/** Returns whether nothing was erased. */
export function isNothing(counts: ErasureCounts): boolean {
  return ERASED_KINDS.every((kind) => counts[kind] === 0);
}
