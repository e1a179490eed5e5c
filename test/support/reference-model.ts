import { createHash } from 'node:crypto';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What the operator does: to the company's access, to the job or the application of that number. */
export interface ModelCommand {
  readonly name: (typeof MODEL_COMMANDS)[number];
  readonly which: number;
}

/** All commands that the model knows. */
export const MODEL_COMMANDS = [
  ...(['grant', 'revoke', 'enableBootstrap', 'begin', 'accepted', 'rejected'] as const),
  ...(['close', 'reopen', 'archive', 'unarchive', 'markInternalOnly', 'markPublic'] as const),
] as const;

/** What a partner is answered: status, code, and the bucket that it was counted in. */
export interface ModelReply {
  readonly status: number;
  readonly code: string | null;
  readonly limit: number;
  readonly remaining: number;
  readonly isReplay: boolean;
}

/** A submission as far as the answer depends on it. */
export interface ModelSubmission {
  readonly job: number;
  readonly sourceId: string | null;
  readonly isValid: boolean;
}

interface State {
  access: 'never' | 'active' | 'revoked';
  bootstrapUntil: number;
  readonly jobs: { state: 'open' | 'closed' | 'archived'; internal: boolean; changed: number }[];
  readonly applications: { id: string; status: string; sourceId: string | null; changed: number }[];
  readonly bound: Map<string, { readonly bytes: string; readonly until: number }>;
  readonly counts: Map<string, number>;
  changes: number;
}

/** From which states a job may be moved, and where to. Decision 20 has those of applications. */
const JOB_MOVES = {
  close: { from: ['open', 'closed'], to: 'closed' },
  reopen: { from: ['open', 'closed'], to: 'open' },
  archive: { from: ['open', 'closed', 'archived'], to: 'archived' },
  unarchive: { from: ['open', 'archived'], to: 'open' },
} as const;

/**
 * The specification and its decisions once more, in their simplest form: one key and one company with some jobs, all
 * in memory, one thing after the other. It shares no code with what it is compared with.
 */
export function createReferenceModel(jobCount: number, now: () => number) {
  const closed = () => ({ state: 'closed' as const, internal: false, changed: 0 });
  let state: State = {
    access: 'never',
    bootstrapUntil: 0,
    jobs: Array.from({ length: jobCount }, closed),
    applications: [],
    bound: new Map(),
    counts: new Map(),
    changes: 0,
  };

  const sees = (job: number) =>
    state.access === 'active' && state.jobs[job]?.state === 'open' && !state.jobs[job].internal;

  /** Changes something, and puts jobs that became visible by it at the end of the feed. */
  function announcing(change: () => unknown): null {
    const before = state.jobs.map((_, job) => sees(job));
    change();
    for (const [job, entry] of state.jobs.entries()) {
      if (sees(job) && !before[job]) entry.changed = ++state.changes;
    }
    return null;
  }

  /** Gives a command; the code that it is refused with, or null. */
  function take({ name, which }: ModelCommand): string | null {
    const [job, application] = [state.jobs[which], state.applications[which]];
    switch (name) {
      case 'grant':
        return announcing(() => Object.assign(state, { access: 'active' }));
      case 'revoke':
        if (state.access === 'never') return 'ACCESS_NOT_FOUND';
        return announcing(() => Object.assign(state, { access: 'revoked', bootstrapUntil: 0 }));
      case 'enableBootstrap':
        if (state.access !== 'active') return 'ACCESS_NOT_FOUND';
        state.bootstrapUntil = now() + DAY_MS;
        return null;
      case 'begin':
      case 'accepted':
      case 'rejected': {
        if (application === undefined) return 'APPLICATION_NOT_FOUND';
        const [from, to] = name === 'begin' ? ['received', 'in_progress'] : ['in_progress', name];
        if (application.status === to) return null;
        if (application.status !== from) return 'ILLEGAL_MOVE';
        Object.assign(application, { status: to, changed: ++state.changes });
        return null;
      }
      default: {
        if (job === undefined) return 'JOB_NOT_FOUND';
        const isMark = name === 'markInternalOnly' || name === 'markPublic';
        if (isMark) return announcing(() => Object.assign(job, { internal: name === 'markInternalOnly' }));
        const { from, to } = JOB_MOVES[name];
        if (!from.some((one) => one === job.state)) return 'ILLEGAL_MOVE';
        return announcing(() => Object.assign(job, { state: to }));
      }
    }
  }

  const bucketOf = (bucket: string) => `${bucket} ${Math.floor(now() / MINUTE_MS)}`;
  const used = (bucket: string) => state.counts.get(bucketOf(bucket)) ?? 0;
  const submitLimit = () => (now() < state.bootstrapUntil ? 50 : 10);

  /** Counts a request; beyond the limit it is refused with 429, whatever it would have got. */
  function counted(bucket: string, limit: number, status: number, code: string | null): ModelReply {
    state.counts.set(bucketOf(bucket), used(bucket) + 1);
    const isOver = used(bucket) > limit;
    const remaining = Math.max(0, limit - used(bucket));
    return {
      status: isOver ? 429 : status,
      code: isOver ? 'RATE_LIMITED' : code,
      limit,
      remaining,
      isReplay: false,
    };
  }

  /** What is wrong with a submission before it reaches the limit, in the order of decision 11. */
  function refusalOf({ job, isValid }: ModelSubmission): readonly [number, string] | null {
    if (!isValid) return [422, 'VALIDATION_ERROR'];
    if (state.jobs[job] === undefined || state.access === 'never') return [404, 'JOB_NOT_FOUND'];
    if (state.access === 'revoked') return [403, 'ACCESS_REVOKED'];
    return sees(job) ? null : [409, 'JOB_CLOSED'];
  }

  return {
    take,
    /** Does something; all that it changed is undone, unless it is kept. */
    async within(isKept: boolean, act: () => Promise<void>): Promise<void> {
      const before = structuredClone(state);
      await act();
      if (!isKept) state = before;
    },
    /** `newId` is the id of the application, if it turns out to be accepted. */
    submit(key: string, bytes: string, submission: ModelSubmission, newId: () => string): ModelReply {
      const digest = createHash('sha256').update(bytes).digest('hex');
      const bound = state.bound.get(key);
      const isBound = bound !== undefined && now() < bound.until;
      if (used('guard') >= 300) return { ...counted('guard', 300, 429, 'RATE_LIMITED'), remaining: 0 };
      if (isBound && bound.bytes === digest) {
        const remaining = Math.max(0, submitLimit() - used('submit'));
        return { status: 201, code: null, limit: submitLimit(), remaining, isReplay: true };
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
      state.bound.set(key, { bytes: digest, until: now() + DAY_MS });
      return reply;
    },
    list: (list: 'jobs' | 'applications'): ModelReply => counted(list, 60, 200, null),
    /** The visible jobs by their number, in the order of the feed. */
    jobs: () =>
      [...state.jobs.entries()]
        .filter(([job]) => sees(job))
        .sort(([, one], [, other]) => one.changed - other.changed)
        .map(([job]) => job),
    /** The applications with their status, in the order of the feed. */
    applications: () =>
      [...state.applications]
        .sort((one, other) => one.changed - other.changed)
        .map(({ id, status }) => `${id} ${status}`),
    applicationAt: (which: number) => state.applications[which]?.id ?? 'ej_app_none',
  };
}
