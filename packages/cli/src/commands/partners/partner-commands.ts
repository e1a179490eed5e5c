import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';

/** Commands on partners. */
export const partnerGroup: CommandGroup = {
  summary: 'Applicant-tracking systems',
  standard: 'list',
  commands: {
    list: listCommand('partners.list', {
      columns: { ID: ({ id }) => id, NAME: ({ name }) => name, SINCE: ({ createdAt }) => moment(createdAt) },
      empty: 'No partners. Create one: partners create <name>',
    }),
    create: libraryCommand(
      'partners.create',
      ({ id }) => `Created ${id}. Issue it a key: keys issue ${id} sandbox`,
    ),
  },
};
