import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

/** Commands on companies. */
export const companyGroup: CommandGroup = {
  summary: 'Companies that publish jobs',
  standard: 'list',
  commands: {
    list: listCommand('companies.list', {
      columns: {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        ENVIRONMENT: ({ environment }) => environment,
        SINCE: ({ createdAt }) => moment(createdAt),
      },
      empty: 'No companies. Create one: companies create <name> <environment>',
    }),
    create: libraryCommand(
      'companies.create',
      ({ id }) => `Created ${id}. Grant a key access: access grant <key> ${id}`,
    ),
    rename: libraryCommand('companies.rename', ({ changed }, { name }) =>
      changed ? `Renamed to ${terminalText(name)}.` : 'Unchanged: the company already has this name.',
    ),
  },
};
