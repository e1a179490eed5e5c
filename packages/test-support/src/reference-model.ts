import { type ModelCommand, takeCommand } from './reference-model/commands.js';
import { answersOf, type ModelReply, type ModelSubmission } from './reference-model/replies.js';
import { emptyState, sees } from './reference-model/state.js';

export { MODEL_COMMANDS, type ModelCommand } from './reference-model/commands.js';
export type { ModelReply, ModelSubmission } from './reference-model/replies.js';

/**
 * The specification and its decisions once more, in their simplest form: one key and one company with some jobs, all
 * in memory, one thing after the other. It shares no code with what it is compared with.
 */
export function createReferenceModel(jobCount: number, now: () => number) {
  let state = emptyState(jobCount);
  return {
    /** Gives a command; the code that it is refused with, or null. */
    take: (command: ModelCommand) => takeCommand(state, command, now()),
    /** Does something; all that it changed is undone, unless it is kept. */
    async within(isKept: boolean, act: () => Promise<void>): Promise<void> {
      const before = structuredClone(state);
      await act();
      if (!isKept) state = before;
    },
    /** `newId` is the id of the application, if it turns out to be accepted. */
    submit: (key: string, bytes: string, submission: ModelSubmission, newId: () => string): ModelReply =>
      answersOf(state, now()).submit(key, bytes, submission, newId),
    list: (list: 'jobs' | 'applications'): ModelReply => answersOf(state, now()).list(list),
    /** The visible jobs by their number, in the order of the feed. */
    jobs: () =>
      [...state.jobs.entries()]
        .filter(([job]) => sees(state, job))
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
