import type { ApplicationId } from '../../domain/ids.js';
import type { ChargeOutcome, RateState } from '../../domain/rate-limit.js';
import type { WireError } from '../../errors.js';
import type { IdSource } from '../../ports/runtime.js';
import type { SubmitCall, SubmitOutcome } from '../partner-api.js';
import type { Judgement } from './judge-submissions.js';

/** A submission that passed every check and is to be committed. */
export interface Acceptance {
  readonly kind: 'accepted';
  readonly id: ApplicationId;
  readonly call: SubmitCall;
  readonly eligible: Extract<Judgement, { kind: 'eligible' }>;
  readonly rate: RateState;
}

/** What the fold takes for each call, in their order. */
export interface CountedJudgement {
  readonly call: SubmitCall;
  readonly judgement: Judgement;
  readonly charge: ChargeOutcome;
}

/**
 * The last checks of a batch, in order: rate limit, then duplicate source id. Two submissions of one batch can
 * meet; the first owns the source id.
 *
 * @param owners - who has a source id already; the fold adds whom it accepts.
 */
export function decideOutcomes(
  counted: readonly CountedJudgement[],
  owners: SourceIdOwners,
  ids: IdSource,
): readonly (Exclude<SubmitOutcome, { kind: 'created' }> | Acceptance)[] {
  return counted.map(({ call, judgement, charge }) => {
    const rate = charge.state;
    if (!charge.allowed) {
      const isRepeated = judgement.kind === 'eligible' && charge.isRepeatedRefusal;
      return { ...refused({ code: 'RATE_LIMITED' }, rate), isRepeated };
    }
    if (judgement.kind === 'replay') return { kind: 'replayed', reply: judgement.record.reply, rate };
    if (judgement.kind === 'refused') return refused(judgement.error, rate);
    const owner = owners.find(call, judgement.submission.sourceApplicationId);
    if (owner !== null) {
      return refused({ code: 'DUPLICATE_SOURCE_APPLICATION_ID', details: { applicationId: owner } }, rate);
    }
    const id = ids.next('application');
    owners.add(call, judgement.submission.sourceApplicationId, id);
    return { kind: 'accepted', id, call, eligible: judgement, rate };
  });
}

/** Which application carries a partner's own id. */
export interface SourceIdOwners {
  find(call: SubmitCall, sourceApplicationId: string | null): ApplicationId | null;
  add(call: SubmitCall, sourceApplicationId: string | null, id: ApplicationId): void;
}

/** An empty register of source ids. */
export function createSourceIdOwners(): SourceIdOwners {
  const owners = new Map<string, ApplicationId>();
  const keyOf = (call: SubmitCall, sourceId: string) => `${call.key.id}:${sourceId}`;
  return {
    find: (call, sourceId) => (sourceId === null ? null : (owners.get(keyOf(call, sourceId)) ?? null)),
    add: (call, sourceId, id) => {
      if (sourceId !== null) owners.set(keyOf(call, sourceId), id);
    },
  };
}

function refused(error: WireError, rate: RateState): SubmitOutcome & { kind: 'refused' } {
  return { kind: 'refused', error, rate };
}
