import type { Job, JobOutcome, OperatorCommands } from '@partner-hiring/core';
import type { Dialog } from '../../ask-on-terminal.js';
import type { OperatorCommand, Report } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import type { CommandInput } from '../../command/command-input.js';
import { type Given, libraryCommand } from '../../command/library-command.js';
import { askFirst, YES_OPTION } from '../../report/ask-first.js';
import { terminalText } from '../../report/terminal-text.js';

type Closing = 'jobs.archive' | 'jobs.close' | 'jobs.closeAll';

/** A job that a source keeps: an open job that a sync has read. */
type KeptJob = Pick<Job, 'id' | 'title'>;

/** How to warn before a command. */
interface Caution<Name extends Closing> {
  /** Returns one of the open jobs of the command that a source keeps. Null without any. */
  findKept(operator: OperatorCommands, given: Given<Name>): Promise<KeptJob | null>;
  readonly question: string;
  /** Said if the command does not run. */
  readonly refusal: string;
}

/** Says in which state a job is after a command. */
export function movedText({ job: { id, title }, changed }: JobOutcome, after: string): string {
  return `${id} (${terminalText(title)}) ${changed ? 'is now' : 'was already'} ${after}.`;
}

/** The command that closes or archives a job. */
export function closing(name: 'jobs.archive' | 'jobs.close', after: string): OperatorCommand {
  const command = libraryCommand(name, (outcome) => movedText(outcome, after));
  return warnFirst(name, command, {
    findKept: async ({ jobs }, { id }) => {
      const job = await jobs.find({ id });
      return job !== null && isKept(job) ? job : null;
    },
    question: name === 'jobs.close' ? 'Close it anyway?' : 'Archive it anyway?',
    refusal: `The job was not ${after}.`,
  });
}

/** The command `jobs close-all`. */
export const closingAll: OperatorCommand = warnFirst(
  'jobs.closeAll',
  libraryCommand('jobs.closeAll', ({ id, counts }) => `Closing ${counts.total} jobs: operations show ${id}`),
  {
    findKept: async ({ jobs }, { companyId }) => {
      for await (const job of jobs.each({ companyId, state: 'open' })) if (isKept(job)) return job;
      return null;
    },
    question: 'Close all jobs of the company anyway?',
    refusal: 'No job was closed.',
  },
);

function isKept({ state, syncedIn }: Job): boolean {
  return state === 'open' && syncedIn !== null;
}

/** Asks before a command closes a job that a source keeps. With `--yes`, warns only. */
function warnFirst<Name extends Closing>(
  name: Name,
  command: OperatorCommand,
  caution: Caution<Name>,
): OperatorCommand {
  const form = formOf(name);
  return {
    ...command,
    options: { ...command.options, ...YES_OPTION },
    run: async (operator, input, dialog) => {
      const kept = await caution.findKept(operator, form.read<Given<Name>>(input));
      const refused = kept === null ? null : await refusalOf(kept, caution, input, dialog);
      return refused ?? command.run(operator, input, dialog);
    },
  };
}

/** Returns null if the command may run. */
async function refusalOf(
  { id, title }: KeptJob,
  { question, refusal }: Pick<Caution<Closing>, 'question' | 'refusal'>,
  input: CommandInput,
  dialog: Dialog | undefined,
): Promise<Report | null> {
  const warning = `A source keeps ${id} (${terminalText(title)}) in step. If the source still has it, the next sync opens it again: close it in the source.`;
  if (input.isSet('yes')) dialog?.warn(`Warning: ${warning}`);
  return askFirst(input, dialog, {
    question: `${warning}\n${question}`,
    count: 1,
    refusal: `${refusal} ${warning}`,
    value: { changed: false, keptJobId: id },
  });
}
