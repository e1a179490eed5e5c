import { isBootstrapping } from '../../domain/access.js';
import {
  type Bucket,
  keyBucket,
  type RateLimits,
  type RateState,
  spentRateState,
  submissionBucket,
} from '../../domain/rate-limit.js';
import { decideSubmission } from '../../domain/submission.js';
import { validationError, type WireError } from '../../errors.js';
import type { PartnerApi, SubmitCall, SubmitOutcome } from '../../partner/partner-api.js';
import type { JobRepository } from '../../ports/repositories/jobs.js';
import type { StorageClock } from '../../storage-clock.js';
import { readSandboxAddress, SANDBOX_DOMAIN, type SandboxRefusal } from './address-rules.js';

export interface SandboxDeps {
  readonly jobs: Pick<JobRepository, 'findForSubmissions'>;
  readonly limits: RateLimits;
  readonly storageClock: Pick<StorageClock, 'now'>;
}

const UNKNOWN_ADDRESS: WireError = validationError([
  {
    field: 'candidate.email',
    code: 'invalid_value',
    message: `The sandbox does not know this address at ${SANDBOX_DOMAIN}. The sandbox page lists the known addresses.`,
  },
]);

/**
 * Answers a valid sandbox submission with the error that its e-mail address stands for. Nothing is stored.
 * The key's guard bucket counts the request.
 */
export function answerInSandbox(partner: PartnerApi, deps: SandboxDeps): PartnerApi {
  return {
    ...partner,
    submitApplication: (call) =>
      call.key.environment === 'sandbox'
        ? submitInSandbox(partner, deps, call)
        : partner.submitApplication(call),
  };
}

async function submitInSandbox(
  partner: PartnerApi,
  deps: SandboxDeps,
  call: SubmitCall,
): Promise<SubmitOutcome> {
  const script =
    call.parsed.kind === 'valid' ? readSandboxAddress(call.parsed.submission.candidate.email) : null;
  if (script === 'unknown') return refuse(partner, call, UNKNOWN_ADDRESS);
  switch (script?.kind) {
    case 'refuses':
      return refuseAsAsked(partner, deps, call, script.refusal);
    case 'loses_reply':
      return loseReply(await partner.submitApplication(call));
    default:
      return partner.submitApplication(call);
  }
}

function loseReply(outcome: SubmitOutcome): SubmitOutcome {
  if (outcome.kind !== 'created') return outcome;
  return { kind: 'refused', error: { code: 'SERVICE_UNAVAILABLE' }, rate: outcome.rate };
}

async function refuseAsAsked(
  partner: PartnerApi,
  deps: SandboxDeps,
  call: SubmitCall,
  refusal: SandboxRefusal,
): Promise<SubmitOutcome> {
  if (refusal.code !== 'RATE_LIMITED') return refuse(partner, call, { code: refusal.code });
  const bucket =
    refusal.scope === 'partner'
      ? keyBucket('guard', call.key, deps.limits)
      : await findSubmissionBucket(deps, call);
  // If the job is not open, no company's limit applies: take the normal path.
  if (bucket === null) return partner.submitApplication(call);
  return refuse(partner, call, { code: 'RATE_LIMITED' }, spentRateState(bucket, deps.storageClock.now()));
}

async function refuse(
  partner: PartnerApi,
  { key }: SubmitCall,
  error: WireError,
  rate?: RateState,
): Promise<SubmitOutcome> {
  const guard = await partner.chargeGuard(key);
  if (!guard.allowed) return { kind: 'refused', error: { code: 'RATE_LIMITED' }, rate: guard.state };
  return { kind: 'refused', error, rate: rate ?? guard.state };
}

async function findSubmissionBucket(
  { jobs, limits, storageClock }: SandboxDeps,
  { key, parsed }: SubmitCall,
): Promise<Bucket | null> {
  if (parsed.kind === 'invalid') return null;
  const { id: keyId, secretHash } = key;
  const [found] = await jobs.findForSubmissions([{ keyId, secretHash, jobId: parsed.submission.jobId }]);
  const decision = decideSubmission(key.environment, found?.job ?? null);
  if (decision.kind === 'refused') return null;
  const { company, access } = decision.found;
  return submissionBucket(key, company.id, isBootstrapping(access, storageClock.now()), limits);
}
