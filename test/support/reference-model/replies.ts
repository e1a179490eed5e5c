import { createHash } from 'node:crypto';
import { type State, sees } from './commands.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A reply of the model: its status, its error code, and the state of the limit that counted it. */
export interface ModelReply {
  readonly status: number;
  readonly code: string | null;
  readonly limit: number;
  readonly remaining: number;
  readonly isReplay: boolean;
}

/** The parts of a submission that affect the reply. */
export interface ModelSubmission {
  readonly job: number;
  readonly sourceId: string | null;
  readonly isValid: boolean;
}

/** Computes replies from the state, and updates it. */
export function answersOf(state: State, now: number) {
  const bucketOf = (bucket: string) => `${bucket} ${Math.floor(now / MINUTE_MS)}`;
  const used = (bucket: string) => state.counts.get(bucketOf(bucket)) ?? 0;
  const submitLimit = () => (now < state.bootstrapUntil ? 50 : 10);

  /** Counts a request; beyond the limit, the reply is 429. */
  function counted(bucket: string, limit: number, status: number, code: string | null): ModelReply {
    state.counts.set(bucketOf(bucket), used(bucket) + 1);
    const isOver = used(bucket) > limit;
    // The second and each later 429 of a minute also counts against the guard, the overall limit of a key.
    if (bucket !== 'guard' && used(bucket) > limit + 1) {
      state.counts.set(bucketOf('guard'), used('guard') + 1);
    }
    const remaining = Math.max(0, limit - used(bucket));
    return {
      status: isOver ? 429 : status,
      code: isOver ? 'RATE_LIMITED' : code,
      limit,
      remaining,
      isReplay: false,
    };
  }

  /**
   * Returns the error that comes before the rate limit, in the order of decision 11; null if there is none.
   */
  function refusalOf({ job, isValid }: ModelSubmission): readonly [number, string] | null {
    if (!isValid) return [422, 'VALIDATION_ERROR'];
    if (state.jobs[job] === undefined || state.access === 'never') return [404, 'JOB_NOT_FOUND'];
    if (state.access === 'revoked') return [403, 'ACCESS_REVOKED'];
    return sees(state, job) ? null : [409, 'JOB_CLOSED'];
  }

  function submit(key: string, bytes: string, submission: ModelSubmission, newId: () => string): ModelReply {
    const digest = createHash('sha256').update(bytes).digest('hex');
    const bound = state.bound.get(key);
    const isBound = bound !== undefined && now < bound.until;
    if (used('guard') >= 300) return { ...counted('guard', 300, 429, 'RATE_LIMITED'), remaining: 0 };
    if (isBound && bound.bytes === digest) {
      const reply = counted('guard', 300, 201, null);
      return { ...reply, isReplay: reply.status === 201 };
    }
    if (isBound) return counted('guard', 300, 422, 'IDEMPOTENCY_KEY_REUSED');
    const refusal = refusalOf(submission);
    if (refusal !== null) return counted('guard', 300, ...refusal);
    const { sourceId } = submission;
    const isTaken = sourceId !== null && state.applications.some((other) => other.sourceId === sourceId);
    if (isTaken) return counted('submit', submitLimit(), 409, 'DUPLICATE_SOURCE_APPLICATION_ID');
    const reply = counted('submit', submitLimit(), 201, null);
    if (reply.status !== 201) return reply;
    state.applications.push({ id: newId(), status: 'received', sourceId, changed: ++state.changes });
    state.bound.set(key, { bytes: digest, until: now + DAY_MS });
    return reply;
  }

  return {
    submit,
    list: (list: 'jobs' | 'applications'): ModelReply => counted(list, 60, 200, null),
  };
}
