import { emptyState, type ModelCommand, sees, takeCommand } from './reference-model/commands.js';
import { answersOf, type ModelReply, type ModelSubmission } from './reference-model/replies.js';

export { MODEL_COMMANDS, type ModelCommand } from './reference-model/commands.js';
export type { ModelReply, ModelSubmission } from './reference-model/replies.js';

/**
 * A minimal model of the contract: one key, one company and some jobs, in memory and sequential. Shares no code
 * with the implementation.
 */
export function createReferenceModel(jobCount: number, now: () => number) {
  let state = emptyState(jobCount);
  return {
    /** Runs a command; returns its error code, or null. */
    take: (command: ModelCommand) => takeCommand(state, command, now()),
    /** Runs `act`, and reverts its changes if `isKept` is false. */
    async within(isKept: boolean, act: () => Promise<void>): Promise<void> {
      const before = structuredClone(state);
      await act();
      if (!isKept) state = before;
    },
    /** Submits an application. `newId` returns its id if the model accepts it. */
    submit: (key: string, bytes: string, submission: ModelSubmission, newId: () => string): ModelReply =>
      answersOf(state, now()).submit(key, bytes, submission, newId),
    list: (list: 'jobs' | 'applications'): ModelReply => answersOf(state, now()).list(list),
    /** The visible jobs in the order of the feed. */
    jobs: () =>
      [...state.jobs.entries()]
        .filter(([job]) => sees(state, job))
        .sort(([, one], [, other]) => one.changed - other.changed)
        .map(([job]) => job),
    /** Returns the applications, each as `id status`, in the order of the feed. */
    applications: () =>
      [...state.applications]
        .sort((one, other) => one.changed - other.changed)
        .map(({ id, status }) => `${id} ${status}`),
    applicationAt: (which: number) => state.applications[which]?.id ?? 'ej_app_none',
  };
}
