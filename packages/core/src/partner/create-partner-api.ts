import { keyBucket } from '../domain/rate-limit.js';
import { createGroup } from '../group.js';
import type { Storage } from '../ports/storage.js';
import { createAdmit } from './admit.js';
import { chargeBuckets } from './charge.js';
import { createIdempotencyTurns } from './idempotency-turns.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from './partner-api.js';
import { createReadApplications } from './read-applications.js';
import { createSubmitApplications, type SubmitDeps } from './submit-applications.js';

/** What the use cases need. */
export interface PartnerApiDeps extends SubmitDeps {
  readonly storage: Pick<Storage<never>, 'direct' | 'transaction'>;
  /** Called after a commit that left a résumé to fetch. */
  readonly onCommitted: () => void;
  /** Told the size of each batch as it starts. */
  readonly onBatch: (group: PartnerGroup, size: number) => void;
}

/** The groups in which partners' calls go together. */
export type PartnerGroup = 'admission' | 'guard' | 'reading' | 'submission';

/** Bounds a submission's transaction, during which the single writer of SQLite is held. */
const MAX_SUBMISSIONS = 128;

/** Puts the partner's use cases together over one storage. */
export function createPartnerApi(deps: PartnerApiDeps): PartnerApi {
  const { storage, runtime, limits } = deps;
  const { keyJobs, applications, rateWindows } = storage.direct;
  const sizeOf = (group: PartnerGroup) => ({ onBatch: (size: number) => deps.onBatch(group, size) });
  const submitApplications = createSubmitApplications(deps);
  const submit = createGroup(submitAndNudge, {
    maxBatch: MAX_SUBMISSIONS,
    gathers: true,
    ...sizeOf('submission'),
  });
  const inTurn = createIdempotencyTurns<SubmitOutcome>(runtime.clock, ({ kind }) => kind !== 'refused');

  async function submitAndNudge(calls: readonly SubmitCall[]): Promise<readonly SubmitOutcome[]> {
    const outcomes = await submitApplications(calls);
    if (outcomes.some(({ kind }) => kind === 'created')) deps.onCommitted();
    return outcomes;
  }

  const chargeGuard = createGroup(async (keys: readonly Parameters<PartnerApi['chargeGuard']>[0][]) => {
    const charges = await chargeBuckets(
      rateWindows,
      keys.map(({ id }) => keyBucket('guard', id, limits)),
    );
    return charges.filter((charge) => charge !== null);
  }, sizeOf('guard'));

  return {
    admit: createAdmit({ repositories: storage.direct, clock: runtime.clock, limits }, sizeOf('admission')),
    chargeGuard,
    listJobs: (query) => keyJobs.page(query),
    listApplications: (query) => applications.page(query),
    readApplication: createReadApplications(storage.direct, sizeOf('reading')),
    submitApplication: async (call) => {
      const turn = `${call.key.id}:${call.idempotencyKey}`;
      const outcome = await inTurn(turn, () => submit(call));
      if (outcome !== null) return outcome;
      const { allowed, state } = await chargeGuard(call.key);
      const code = allowed ? 'IDEMPOTENCY_KEY_IN_PROGRESS' : 'RATE_LIMITED';
      return { kind: 'refused', error: { code }, rate: state };
    },
  };
}
