import type { CommandGroup } from '../../command/command.js';
import { PAGE_OPTIONS, pageOf, pageReport } from '../../report/pages.js';
import { moment, sentence } from '../../report/report.js';

/** Commands on partners. */
export const partnerGroup: CommandGroup = {
  summary: 'Applicant-tracking systems',
  standard: 'list',
  commands: {
    list: {
      summary: 'Lists partners, oldest first',
      options: PAGE_OPTIONS,
      run: async (operator, input) => {
        const page = await operator.partners.list(pageOf(input));
        return pageReport(
          page,
          page.items,
          { ID: ({ id }) => id, NAME: ({ name }) => name, SINCE: ({ createdAt }) => moment(createdAt) },
          'No partners. Create one: partners create <name>',
        );
      },
    },
    create: {
      summary: 'Creates a partner',
      arguments: ['name'],
      run: async (operator, input) => {
        const partner = await operator.partners.create({ name: input.argument('name') });
        return sentence(`Created ${partner.id}. Issue it a key: keys issue ${partner.id} sandbox`, partner);
      },
    },
  },
};
