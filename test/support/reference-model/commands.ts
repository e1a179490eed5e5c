import { JOB_ACT_NAMES } from '../job-acts.js';

/** The state of the model. */
export interface State {
  access: 'never' | 'active' | 'revoked';
  bootstrapUntil: number;
  readonly jobs: { state: 'open' | 'closed' | 'archived'; internal: boolean; changed: number }[];
  readonly applications: { id: string; status: string; sourceId: string | null; changed: number }[];
  readonly bound: Map<string, { readonly bytes: string; readonly until: number }>;
  readonly counts: Map<string, number>;
  changes: number;
}

/** Returns the initial state, in which all jobs are closed. */
export function emptyState(jobCount: number): State {
  return {
    access: 'never',
    bootstrapUntil: 0,
    jobs: Array.from({ length: jobCount }, () => ({ state: 'closed', internal: false, changed: 0 })),
    applications: [],
    bound: new Map(),
    counts: new Map(),
    changes: 0,
  };
}

/** Whether the key sees a job. */
export function sees({ access, jobs }: State, job: number): boolean {
  return access === 'active' && jobs[job]?.state === 'open' && !jobs[job].internal;
}

const DAY_MS = 24 * 60 * 60_000;

/** Operator commands on the access, a job or an application. */
export interface ModelCommand {
  readonly name: (typeof MODEL_COMMANDS)[number];
  readonly which: number;
}

/** All commands of the model. */
export const MODEL_COMMANDS = [
  ...(['grant', 'revoke', 'raiseLimit', 'begin', 'accepted', 'rejected'] as const),
  ...JOB_ACT_NAMES,
] as const;

/** The state changes that the model allows for jobs. Those for applications are in decision 20. */
const JOB_MOVES = {
  close: { from: ['open', 'closed'], to: 'closed' },
  reopen: { from: ['open', 'closed'], to: 'open' },
  archive: { from: ['open', 'closed', 'archived'], to: 'archived' },
  unarchive: { from: ['open', 'archived'], to: 'open' },
} as const;

/** Applies a change. Jobs that become visible by it move to the end of the feed. */
function announce(state: State, change: () => unknown): null {
  const before = state.jobs.map((_, job) => sees(state, job));
  change();
  for (const [job, entry] of state.jobs.entries()) {
    if (sees(state, job) && !before[job]) entry.changed = ++state.changes;
  }
  return null;
}

/** Runs a command on the state. Returns its error code, or null if it succeeds. */
export function takeCommand(state: State, { name, which }: ModelCommand, now: number): string | null {
  const announcing = (change: () => unknown) => announce(state, change);
  const [job, application] = [state.jobs[which], state.applications[which]];
  switch (name) {
    case 'grant':
      return announcing(() => Object.assign(state, { access: 'active' }));
    case 'revoke':
      if (state.access === 'never') return 'ACCESS_NOT_FOUND';
      return announcing(() => Object.assign(state, { access: 'revoked', bootstrapUntil: 0 }));
    case 'raiseLimit':
      if (state.access !== 'active') return 'ACCESS_NOT_FOUND';
      state.bootstrapUntil = now + DAY_MS;
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
      const isMark = name === 'hide' || name === 'show';
      if (isMark) return announcing(() => Object.assign(job, { internal: name === 'hide' }));
      const { from, to } = JOB_MOVES[name];
      if (!from.some((one) => one === job.state)) return 'ILLEGAL_MOVE';
      return announcing(() => Object.assign(job, { state: to }));
    }
  }
}
