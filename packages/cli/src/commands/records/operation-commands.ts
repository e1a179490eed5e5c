import { type Operation, type OperationState, OperatorError } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const STATES = ['running', 'done', 'stopped', 'failed'] as const satisfies readonly OperationState[];

const list = listCommand({
  options: { state: { choices: STATES, summary: 'Only those in this state' } },
  read: ({ operations }, input, page) =>
    operations.list({ state: input.optionChoice('state', STATES), ...page }),
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

const show: OperatorCommand = {
  arguments: ['operation'],
  run: async (operator, input) => {
    const id = input.id('operation');
    const operation = await operator.operations.find({ id });
    if (operation === null) {
      throw new OperatorError('OPERATION_NOT_FOUND', `Operation ${id} does not exist. Run: operations list`);
    }
    const { plan, state, lastError } = operation;
    const error = lastError === null ? '' : `\nLast error: ${terminalText(lastError)}`;
    return sentence(`${plan.kind} is ${state}: ${describeProgress(operation)}.${error}`, operation);
  },
};

const stop: OperatorCommand = {
  arguments: ['operation'],
  run: async (operator, input) => {
    const outcome = await operator.operations.stop({ id: input.id('operation') });
    const { operation, changed } = outcome;
    const progress = describeProgress(operation);
    return sentence(
      changed ? `Stopped: ${progress}.` : `Unchanged: the operation was already ${operation.state}.`,
      outcome,
    );
  },
};

/** Commands on operations. */
export const operationGroup: CommandGroup = {
  summary: 'Commands on many rows that the worker runs in steps',
  standard: 'list',
  commands: { list, show, stop },
};

function describeProgress({ counts: { done, skipped, total } }: Operation): string {
  const of = total === null ? '' : ` of ${total}`;
  return `${done}${of} done${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
