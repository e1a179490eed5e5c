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
