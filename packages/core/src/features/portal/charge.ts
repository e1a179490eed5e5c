import { type Bucket, shareCharge } from '../../domain/rate-limit.js';
import { OperatorError } from '../../errors.js';
import type { Repositories } from '../../ports/storage.js';

/**
 * Counts one act in a bucket, outside of the act's transaction, so that a refused act counts too.
 * @param what - such as `acts in the portal`.
 * @throws OperatorError `RATE_LIMITED`
 */
export async function charge(
  { rateWindows }: Pick<Repositories, 'rateWindows'>,
  bucket: Bucket,
  what: string,
): Promise<void> {
  const [window] = await rateWindows.charge([{ bucketId: bucket.id, cost: 1 }]);
  const [charged] = window === undefined ? [] : shareCharge(bucket, 1, window);
  if (charged?.allowed === true) return;
  const seconds = charged?.state.retryAfterSeconds ?? 1;
  throw new OperatorError(
    'RATE_LIMITED',
    `There were more than ${bucket.limit} ${what} within a minute. Try again in ${seconds} s. Nothing was changed.`,
  );
}
