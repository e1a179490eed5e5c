import { SANDBOX_CATALOGUE } from '@partner-hiring/core';
import type { Command, CommandGroup } from './command.js';
import { sentence, tableReport } from './report.js';

const list: Command = {
  summary: 'Lists what a partner finds in its sandbox: magic addresses, jobs, and how to meet each error',
  run: async () => {
    const { addresses, jobs, errors } = SANDBOX_CATALOGUE;
    const tables = [
      tableReport(addresses, { ADDRESS: ({ address }) => address, 'WHAT HAPPENS': ({ about }) => about }, ''),
      tableReport(jobs, { JOB: ({ id }) => `${id}…`, 'WHAT IT IS FOR': ({ about }) => about }, ''),
      tableReport(
        errors,
        { ERROR: ({ code }) => code, STATUS: ({ status }) => status, 'HOW TO MEET IT': ({ how }) => how },
        '',
      ),
    ];
    return { text: tables.map(({ text }) => text).join('\n\n'), value: SANDBOX_CATALOGUE };
  },
};

const prepare: Command = {
  summary: 'Gives a sandbox key the companies and jobs of its own that it lacks',
  arguments: ['key'],
  run: async (operator, input) => {
    const keyId = input.id('key');
    const outcome = await operator.sandbox.prepare({ keyId });
    return sentence(outcome.changed ? `${keyId} has its sandbox now.` : 'Nothing to do: it has it.', outcome);
  },
};

/** Where partners try things out. */
export const sandboxGroup: CommandGroup = {
  summary: 'What partners find in their sandboxes',
  standard: 'list',
  commands: { list, prepare },
};
