import type { CommandGroup } from './command.js';
import { moment, sentence, tableReport } from './report.js';

/** Commands on partners. */
export const partnerGroup: CommandGroup = {
  summary: 'Applicant-tracking systems',
  standard: 'list',
  commands: {
    list: {
      summary: 'Lists all partners, oldest first',
      run: async (operator) =>
        tableReport(
          await operator.partners.list(),
          { ID: ({ id }) => id, NAME: ({ name }) => name, SINCE: ({ createdAt }) => moment(createdAt) },
          'No partners. Add one: partners add <name>',
        ),
    },
    add: {
      summary: 'Adds a partner',
      arguments: ['name'],
      run: async (operator, input) => {
        const partner = await operator.partners.add({ name: input.argument('name') });
        return sentence(`Added ${partner.id}. Issue it a key: keys issue ${partner.id} sandbox`, partner);
      },
    },
  },
};
