import type { Repositories } from '@partner-hiring/core/ports';
import { earliest, sum } from '../routing/merge.js';

type Counts = Awaited<ReturnType<Repositories['resumeRemovals']['counts']>>;

/** Counts stop here in each cell. */
const MOST_WAITING = 10_000;

export function sumOfRemovals(counts: readonly Counts[]): Counts {
  return {
    waiting: Math.min(sum(counts.map(({ waiting }) => waiting)), MOST_WAITING),
    oldestErasedAt: earliest(counts.map(({ oldestErasedAt }) => oldestErasedAt)),
  };
}
