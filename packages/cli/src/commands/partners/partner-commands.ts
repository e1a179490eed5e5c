import type { CommandGroup } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';

/** Commands on partners. */
export const partnerGroup: CommandGroup = {
  summary: 'Applicant-tracking systems',
  standard: 'list',
  commands: {
    list: listCommand({
      read: ({ partners }, _, page) => partners.list(page),
      columns: { ID: ({ id }) => id, NAME: ({ name }) => name, SINCE: ({ createdAt }) => moment(createdAt) },
      empty: 'No partners. Create one: partners create <name>',
    }),
    create: {
      arguments: ['name'],
      run: async (operator, input) => {
        const partner = await operator.partners.create({ name: input.argument('name') });
        return sentence(`Created ${partner.id}. Issue it a key: keys issue ${partner.id} sandbox`, partner);
      },
    },
  },
};
