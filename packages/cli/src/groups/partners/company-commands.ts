import type { Environment, NewCompany } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';
import { readList } from '../jobs/import-jobs.js';

const importCompanies: OperatorCommand = {
  library: 'companies.create',
  summary: 'Creates the companies of a JSON file, an array of {id, name}, that do not exist',
  arguments: ['file', 'environment'],
  run: async ({ companies }, input) => {
    const environment = input.argument('environment') as Environment;
    const rows = readList<Pick<NewCompany, 'id' | 'name'>>(input.argument('file'), 'companies');
    const given = rows.map((row) => ({ ...row, environment, ifMissing: true }));
    const found = await companies.create(given);
    return sentence(
      `Companies that exist now: ${found.length}. Those that existed before are unchanged.`,
      found,
    );
  },
};

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
      { without: ['ifMissing'] },
    ),
    import: importCompanies,
    rename: libraryCommand('companies.rename', ({ changed }, { name }) =>
      changed ? `Renamed to ${terminalText(name)}.` : 'Unchanged: the company already has this name.',
    ),
  },
};
