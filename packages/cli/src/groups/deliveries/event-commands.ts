import type { CommandGroup } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalJsonLine } from '../../report/terminal-text.js';

const list = listCommand('events.list', {
  columns: {
    RECORDED: ({ at }) => moment(at),
    KEY: ({ keyLabel }) => keyLabel,
    EVENT: ({ id }) => id,
    TYPE: ({ type }) => type,
    BODY: ({ body }) => terminalJsonLine(body),
  },
  empty: 'No events.',
});

/** Commands on the event logs. */
export const eventGroup: CommandGroup = {
  summary: 'Events that partners fetch, and that webhooks send',
  standard: 'list',
  commands: { list },
};
