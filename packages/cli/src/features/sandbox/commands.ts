import { SANDBOX_CATALOGUE } from '@partner-hiring/core/contract';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { tableReport } from '../../report/report.js';

const list: OperatorCommand = {
  summary: 'Lists magic addresses and jobs of the sandbox, and how to provoke each error',
  run: async () => {
    const { addresses, jobs, errors } = SANDBOX_CATALOGUE;
    const tables = [
      tableReport(addresses, { ADDRESS: ({ address }) => address, EFFECT: ({ about }) => about }, ''),
      tableReport(jobs, { JOB: ({ id }) => `${id}…`, PURPOSE: ({ about }) => about }, ''),
      tableReport(
        errors,
        { ERROR: ({ code }) => code, STATUS: ({ status }) => status, 'HOW TO PROVOKE IT': ({ how }) => how },
        '',
      ),
    ];
    return { text: tables.map(({ text }) => text).join('\n\n'), value: SANDBOX_CATALOGUE };
  },
};

const prepare = libraryCommand('sandbox.prepare', ({ changed }, { keyId }) =>
  changed ? `Prepared the sandbox of ${keyId}.` : 'Unchanged: the sandbox is complete.',
);

/** Commands on sandboxes. */
export const sandboxGroup: CommandGroup = {
  summary: 'Sandboxes of partners',
  standard: 'list',
  commands: { list, prepare },
};
