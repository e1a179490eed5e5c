import { createBatcher } from '../batcher.js';
import type { KeySecret, PartnerKey, SecretEnd } from '../domain/partner-key.js';
import { keyBucket } from '../domain/rate-limit.js';
import type { Clock } from '../ports/runtime.js';
import type { Storage } from '../ports/storage.js';
import { createAdmit } from './admit.js';
import { createKeyCache } from './key-cache.js';
import type { PartnerApi } from './partner-api.js';
import { createBucketCounts } from './rate-limit.js';
import type { SubmitBatchDeps } from './submit-batch.js';
import { createSubmitApplication } from './submit-queue.js';

export interface PartnerApiDeps extends SubmitBatchDeps {
  readonly storage: Pick<Storage<never>, 'direct' | 'transaction'>;
  readonly runtime: SubmitBatchDeps['runtime'] & { readonly clock: Clock };
  readonly onResumeSubmitted: () => void;
  readonly onEndedSecret: (secret: KeySecret, end: SecretEnd) => void;
  readonly onBatch: (batcher: PartnerBatch, size: number) => void;
  readonly onBroken: (batcher: PartnerBatch, size: number, err: unknown) => void;
}

export type PartnerBatch = 'admission' | 'guard' | 'reading' | 'submission';

export function createPartnerApi(deps: PartnerApiDeps): PartnerApi {
  const { storage, storageClock, limits, onEndedSecret } = deps;
  const { keyJobs, applications, events, feed, rateWindows } = storage.direct;
  const watch = (batcher: PartnerBatch) => ({
    onBatch: (size: number) => deps.onBatch(batcher, size),
    onBroken: (size: number, err: unknown) => deps.onBroken(batcher, size, err),
  });
  const buckets = createBucketCounts(rateWindows, storageClock);
  const keyCache = createKeyCache();
  const admission = { repositories: storage.direct, storageClock, limits, buckets, keyCache, onEndedSecret };

  const chargeGuard = createBatcher(async (keys: readonly PartnerKey[]) => {
    const counted = await buckets.charge(keys.map((key) => ({ bucket: keyBucket('guard', key, limits) })));
    return counted.map(({ charge }) => charge);
  }, watch('guard'));

  return {
    admit: createAdmit(admission, watch('admission')),
    chargeGuard,
    listJobs: (query) => keyJobs.page(query),
    listApplications: (query) => applications.page(query),
    listEvents: async (query) => {
      const page = await events.page(query);
      if (page.recordedAfter !== null) return page;
      await feed.setRecording([query.keyId], true);
      return events.page(query);
    },
    readApplication: createBatcher((calls) => applications.findOwned(calls), watch('reading')),
    submitApplication: createSubmitApplication({ ...deps, chargeGuard, ...watch('submission') }),
  };
}
