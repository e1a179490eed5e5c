import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { describeProgress, heldText, operationCounts } from '../jobs-sync/operation-text.js';

const list = listCommand('operations.list', {
  columns: {
    ID: ({ id }) => id,
    KIND: ({ plan }) => plan.kind,
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
  const error = lastError === null ? '' : `\nLast error: ${terminalText(lastError)}`;
  const progress = operationCounts(operation) ?? describeProgress(operation);
  const more = state === 'held' ? `\n${heldText(lastError, id)}` : error;
  return `${plan.kind} is ${state}: ${progress}.${more}`;
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
