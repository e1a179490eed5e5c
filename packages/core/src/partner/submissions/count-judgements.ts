import type { Repositories } from '../../ports/repositories.js';
import { chargeBuckets, readBuckets } from '../charge.js';
import type { CountedJudgement } from './decide-outcomes.js';

/** Counts each submission in its bucket; a replay only looks. */
export async function countJudgements(
  { rateWindows }: Pick<Repositories, 'rateWindows'>,
  judged: readonly Pick<CountedJudgement, 'call' | 'judgement'>[],
): Promise<readonly CountedJudgement[]> {
  const charged = judged.map(({ judgement: { kind, bucket } }) => (kind === 'replay' ? null : bucket));
  const looked = judged.map(({ judgement: { kind, bucket } }) => (kind === 'replay' ? bucket : null));
  const [charges, rates] = await Promise.all([
    chargeBuckets(rateWindows, charged),
    readBuckets(rateWindows, looked),
  ]);
  return judged.map(({ call, judgement }, index) => {
    const charge = charges[index] ?? null;
    const rate = charge?.state ?? rates[index];
    if (rate === null || rate === undefined) throw new Error('Every submission has a bucket.');
    return { call, judgement, charge, rate };
  });
}
