import type { CommandGroup } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { ENVIRONMENTS } from '../environments.js';

/** Commands on companies. */
export const companyGroup: CommandGroup = {
  summary: 'Companies that publish jobs',
  standard: 'list',
  commands: {
    list: listCommand({
      read: ({ companies }, _, page) => companies.list(page),
      columns: {
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        ENVIRONMENT: ({ environment }) => environment,
        SINCE: ({ createdAt }) => moment(createdAt),
      },
      empty: 'No companies. Create one: companies create <name> <environment>',
    }),
    create: {
      arguments: ['name', { name: 'environment', choices: ENVIRONMENTS }],
      options: { company: { value: 'ID', summary: 'Your own id, co_...' } },
      run: async (operator, input) => {
        const id = input.optionId('company');
        const company = await operator.companies.create({
          name: input.argument('name'),
          environment: input.choice('environment', ENVIRONMENTS),
          id,
        });
        return sentence(
          `Created ${company.id}. Grant a key access: access grant <key> ${company.id}`,
          company,
        );
      },
    },
    rename: {
      arguments: ['company', 'name'],
      run: async (operator, input) => {
        const name = input.argument('name');
        const outcome = await operator.companies.rename({ id: input.id('company'), name });
        return sentence(
          outcome.changed
            ? `Renamed to ${terminalText(name)}.`
            : 'Unchanged: the company already has this name.',
          outcome,
        );
      },
    },
  },
};
