import type { Operation } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { describeProgress, heldText, operationCounts } from '../jobs-sync/operation-text.js';

/** The kind of an operation. One on many objects has the name of the command that it runs with each. */
function kindOf(plan: Operation['plan']): string {
  return plan.kind === 'bulk' ? plan.act : plan.kind;
}

/** Names the objects that could not be changed. */
function failedText({ failed }: Operation): string {
  if (failed === null || failed.count === 0) return '';
  const lines = failed.first.map(({ object: { id }, message }) => `\n  ${terminalText(`${id}: ${message}`)}`);
  const rest = failed.count > failed.first.length ? `\n  and ${failed.count - failed.first.length} more` : '';
  return `\nNot changed: ${failed.count}${lines.join('')}${rest}`;
}

const list = listCommand('operations.list', {
  columns: {
    ID: ({ id }) => id,
    KIND: ({ plan }) => kindOf(plan),
    PARTNER: ({ keyLabel }) => keyLabel,
    STATE: ({ state }) => state,
    PROGRESS: describeProgress,
    STARTED: ({ createdAt }) => moment(createdAt),
    ENDED: ({ finishedAt }) => moment(finishedAt),
  },
  empty: 'No operations.',
});

const show = libraryCommand('operations.find', (operation) => {
  const { id, plan, state, lastError } = operation;
  const error = `${lastError === null ? '' : `\nLast error: ${terminalText(lastError)}`}${failedText(operation)}`;
  const progress = operationCounts(operation) ?? describeProgress(operation);
  const more = state === 'held' ? `\n${heldText(lastError, id)}` : error;
  return `${kindOf(plan)} is ${state}: ${progress}.${more}`;
});

const stop = libraryCommand('operations.stop', ({ operation, changed }) =>
  changed
    ? `Stopped: ${describeProgress(operation)}.`
    : `Unchanged: the operation was already ${operation.state}.`,
);

/** Commands on operations. */
export const operationGroup: CommandGroup = {
  summary: 'Commands on many rows that the worker runs in steps',
  standard: 'list',
  commands: { list, show, stop },
};
