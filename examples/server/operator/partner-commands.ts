import type { CommandGroup } from './command.js';
import { moment, sentence, tableReport } from './report.js';

/** The applicant-tracking systems. */
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
          'There are no partners. Add one: partners add <name>',
        ),
    },
    add: {
      summary: 'Adds a partner; it then needs a key',
      arguments: ['name'],
      run: async (operator, input) => {
        const partner = await operator.partners.add({ name: input.argument('name') });
        return sentence(`Added ${partner.id}. Give it a key: keys issue ${partner.id} sandbox`, partner);
      },
    },
  },
};
