import type { Repositories } from '../../ports/storage.js';
import { chargeBuckets } from '../charge.js';
import type { CountedJudgement } from './decide-outcomes.js';

/** Counts each submission in its bucket. */
export async function countJudgements(
  { rateWindows }: Pick<Repositories, 'rateWindows'>,
  judged: readonly Pick<CountedJudgement, 'call' | 'judgement'>[],
): Promise<readonly CountedJudgement[]> {
  const charges = await chargeBuckets(
    rateWindows,
    judged.map(({ judgement }) => judgement.bucket),
  );
  return judged.map(({ call, judgement }, index) => {
    const charge = charges[index];
    if (charge === null || charge === undefined) throw new Error('Every submission has a bucket.');
    return { call, judgement, charge };
  });
}
