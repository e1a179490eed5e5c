import { createBatcher } from '../batcher.js';
import type { KeySecret, PartnerKey, SecretEnd } from '../domain/partner-key.js';
import { keyBucket } from '../domain/rate-limit.js';
import type { Storage } from '../ports/storage.js';
import { createAdmit } from './admission/admit.js';
import { createBucketCounts } from './charge.js';
import { createExhaustedBuckets } from './exhausted-buckets.js';
import { createKeyCache } from './key-cache.js';
import type { PartnerApi } from './partner-api.js';
import { createReadApplications } from './read-applications.js';
import { createSubmitApplication } from './submissions/create-submit-application.js';
import type { SubmitDeps } from './submissions/submit-applications.js';

/** What the use cases need. */
export interface PartnerApiDeps extends SubmitDeps {
  readonly storage: Pick<Storage<never>, 'direct' | 'transaction'>;
  /** Called after a commit that left a résumé to fetch. */
  readonly onResumeSubmitted: () => void;
  /** Called once for each request that carries a secret which no longer works. */
  readonly onEndedSecret: (secret: KeySecret, end: SecretEnd) => void;
  /** Told the size of each batch as it starts. */
  readonly onBatch: (batcher: PartnerBatch, size: number) => void;
  /** Told of each batch that failed as a whole, and is run again call by call. */
  readonly onBroken: (batcher: PartnerBatch, size: number, err: unknown) => void;
}

/** The groups in which partners' calls go together. */
export type PartnerBatch = 'admission' | 'guard' | 'reading' | 'submission';

/** Puts the partner's use cases together over one storage. */
export function createPartnerApi(deps: PartnerApiDeps): PartnerApi {
  const { storage, storageClock, limits } = deps;
  const { keyJobs, applications, rateWindows } = storage.direct;
  const watch = (batcher: PartnerBatch) => ({
    onBatch: (size: number) => deps.onBatch(batcher, size),
    onBroken: (size: number, err: unknown) => deps.onBroken(batcher, size, err),
  });
  const keyCache = createKeyCache();
  const buckets = createBucketCounts(rateWindows, createExhaustedBuckets(storageClock));

  const chargeGuard = createBatcher(async (keys: readonly PartnerKey[]) => {
    const charges = await buckets.charge(keys.map(({ id }) => keyBucket('guard', id, limits)));
    return charges.filter((charge) => charge !== null);
  }, watch('guard'));

  return {
    admit: createAdmit(
      {
        repositories: storage.direct,
        storageClock,
        limits,
        buckets,
        keyCache,
        onEndedSecret: deps.onEndedSecret,
      },
      watch('admission'),
    ),
    chargeGuard,
    listJobs: (query) => keyJobs.page(query),
    listApplications: (query) => applications.page(query),
    readApplication: createReadApplications(storage.direct, watch('reading')),
    submitApplication: createSubmitApplication({ ...deps, chargeGuard, ...watch('submission') }),
  };
}
