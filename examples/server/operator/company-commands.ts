import type { CommandGroup } from './command.js';
import { moment, sentence, tableReport } from './report.js';
import { WORLDS } from './worlds.js';

/** The employers. */
export const companyGroup: CommandGroup = {
  summary: 'Employers whose jobs are offered',
  standard: 'list',
  commands: {
    list: {
      summary: 'Lists all companies of both worlds, oldest first',
      run: async (operator) =>
        tableReport(
          await operator.companies.list(),
          {
            ID: ({ id }) => id,
            NAME: ({ name }) => name,
            WORLD: ({ environment }) => environment,
            SINCE: ({ createdAt }) => moment(createdAt),
          },
          'There are no companies. Register one: companies register <name> <world>',
        ),
    },
    register: {
      summary: `Registers a company in a world: ${WORLDS.join(', ')}`,
      arguments: ['name', 'environment'],
      options: { company: { value: 'ID', summary: 'An id of your own, co_...' } },
      run: async (operator, input) => {
        const id = input.optionId('company');
        const company = await operator.companies.register({
          name: input.argument('name'),
          environment: input.choice('environment', WORLDS),
          ...(id === undefined ? {} : { id }),
        });
        return sentence(`Registered ${company.id}. Let a key in: access grant <key> ${company.id}`, company);
      },
    },
    rename: {
      summary: 'Renames a company; partners find its jobs updated',
      arguments: ['company', 'name'],
      run: async (operator, input) => {
        const name = input.argument('name');
        const outcome = await operator.companies.rename({ id: input.id('company'), name });
        return sentence(
          outcome.changed ? `Renamed to ${name}.` : 'Nothing to do: it has that name.',
          outcome,
        );
      },
    },
  },
};
