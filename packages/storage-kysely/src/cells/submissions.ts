import { keyOfBucket } from '@partner-hiring/core';
import type {
  AcceptedSubmission,
  Charge,
  LimitedCharge,
  RateWindowRepository,
  SubmissionRepository,
  WindowCount,
} from '@partner-hiring/core/ports';
import type { BoundCells, Cells } from './cells.js';

/** A submission goes to the cell of its key. */
export function submissionsOf(cells: Cells): SubmissionRepository {
  return {
    // Most submissions are new, so most results are null. If the partner has moved, the insert fails.
    findRecords: (pairs) =>
      cells.each(
        'key',
        pairs,
        ({ keyId }) => keyId,
        ({ submissions }, own) => submissions.findRecords(own),
        () => false,
      ),
    add: (added) =>
      orConflict(async () => {
        await cells.split(
          'key',
          added,
          ({ application }) => application.keyId,
          async ({ submissions }, own) => {
            if ((await submissions.add(own)) === 'conflict') throw new CellConflict();
          },
        );
        return 'added' as const;
      }),
    chargeAndAdd: (charges, added) => chargeAndAdd(cells, charges, added),
    sweep: (now, limit) =>
      cells.countInTurn('submissions.sweep', limit, ({ submissions }, left) => submissions.sweep(now, left)),
  };
}

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

/** Commits with the last cell's statement. Core sends a batch for each cell, so most batches have one cell. */
async function chargeAndAdd(
  cells: Cells,
  charges: readonly LimitedCharge[],
  added: readonly AcceptedSubmission[],
): Promise<readonly WindowCount[] | 'conflict'> {
  const parts: readonly Part[] = [
    ...charges.map((charge) => ({ charge, submission: null })),
    ...added.map((submission) => ({ charge: null, submission })),
  ];
  const run = async (bound: BoundCells, groups: ReadonlyMap<number, readonly Part[]>) => {
    const counts = new Map<string, WindowCount>();
    let left = groups.size;
    for (const [index, own] of groups) {
      left -= 1;
      const { submissions } = left > 0 ? bound.cellWithoutCommit(index) : bound.cell(index);
      const ownCharges = own.flatMap(({ charge }) => (charge === null ? [] : [charge]));
      const result = await submissions.chargeAndAdd(
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
}

/** A key is counted in its cell, and an address in the home cell. */
export function rateWindowsOf(cells: Cells): RateWindowRepository {
  const count = <Item>(
    items: readonly Item[],
    bucketOf: (item: Item) => string,
    call: (repository: RateWindowRepository, own: readonly Item[]) => Promise<readonly WindowCount[]>,
  ) =>
    cells.each(
      'key',
      items,
      (item) => keyOfBucket(bucketOf(item)) ?? '',
      ({ rateWindows }, own) => call(rateWindows, own),
      () => false,
    );
  return {
    charge: (charges) =>
      count(
        charges,
        ({ bucketId }: Charge) => bucketId,
        (repository, own) => repository.charge(own),
      ),
    read: (bucketIds) =>
      count(
        bucketIds,
        (id) => id,
        (repository, own) => repository.read(own),
      ),
    sweep: (now, limit) =>
      cells.countInTurn('rateWindows.sweep', limit, ({ rateWindows }, left) => rateWindows.sweep(now, left)),
  };
}
