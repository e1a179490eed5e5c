import {
  type AcceptedSubmission,
  keyOfBucket,
  type LimitedCharge,
  type SubmissionRepository,
  type WindowCount,
} from '@partner-hiring/core/ports';
import type { BoundCells } from '../routing/cells.js';
import type { RoutesOf } from '../routing/route.js';

type SubmissionRoutes = RoutesOf<SubmissionRepository>;

/** A conflict in one cell rolls back all cells. */
export const addSubmissions: SubmissionRoutes['add'] = ({ cells, call }, added) =>
  orConflict(async () => {
    await cells.split(
      'key',
      added,
      ({ application }) => application.keyId,
      async (cell, own) => {
        if ((await call(cell, own)) === 'conflict') throw new CellConflict();
      },
    );
    return 'added' as const;
  });

/** Thrown to roll back all cells. */
class CellConflict extends Error {}

async function orConflict<T>(work: () => Promise<T>): Promise<T | 'conflict'> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CellConflict) return 'conflict';
    throw error;
  }
}

type Part =
  | { readonly charge: LimitedCharge; readonly submission: null }
  | { readonly charge: null; readonly submission: AcceptedSubmission };

/**
 * Sends the commit with the statement of the last cell. Core sends one batch for each cell, so most batches use one
 * cell.
 */
export const chargeAndAdd: SubmissionRoutes['chargeAndAdd'] = ({ cells, call }, charges, added) => {
  const parts: readonly Part[] = [
    ...charges.map((charge) => ({ charge, submission: null })),
    ...added.map((submission) => ({ charge: null, submission })),
  ];
  const run = async (bound: BoundCells, groups: ReadonlyMap<number, readonly Part[]>) => {
    const counts = new Map<string, WindowCount>();
    let left = groups.size;
    for (const [index, own] of groups) {
      left -= 1;
      const cell = left > 0 ? bound.cellWithoutCommit(index) : bound.cell(index);
      const ownCharges = own.flatMap(({ charge }) => (charge === null ? [] : [charge]));
      const result = await call(
        cell,
        ownCharges,
        own.flatMap(({ submission }) => (submission === null ? [] : [submission])),
      );
      if (result === 'conflict') throw new CellConflict();
      for (const [at, count] of result.entries()) counts.set(ownCharges[at]?.bucketId ?? '', count);
    }
    return charges.map(({ bucketId }) => {
      const count = counts.get(bucketId);
      if (count === undefined) throw new Error('A cell must count each bucket.');
      return count;
    });
  };
  const { alone } = cells.bound;
  return orConflict(() =>
    cells.rerouted(async () => {
      const groups = await cells.group(cells.bound, 'key', parts, ({ charge, submission }) =>
        charge === null ? submission.application.keyId : keyOfBucket(charge.bucketId),
      );
      return groups.size <= 1 || alone === null
        ? run(cells.bound, groups)
        : alone.write((bound) => run(bound, groups));
    }),
  );
};
