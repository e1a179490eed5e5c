import { notSearched } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { listCommand } from '../../report/list-command.js';
import { moment, sentence } from '../../report/report.js';
import { CLEAR, TARGET, targetOf } from './candidate-options.js';
import { eraseCandidate } from './erase-command.js';

const list = listCommand({
  options: TARGET,
  read: ({ candidates }, input, page) => candidates.list({ ...targetOf(input), ...page }),
  columns: {
    ID: ({ id }) => id,
    PARTNER: ({ partnerName }) => partnerName,
    COMPANY: ({ companyName }) => companyName,
    JOB: ({ jobTitle }) => jobTitle,
    NAME: ({ candidate }) => `${candidate.firstName} ${candidate.lastName}`.trim(),
    STATUS: ({ status }) => status,
    CONSENT: ({ consent }) => moment(consent.givenAt),
    ERASED: ({ erasedAt }) => moment(erasedAt),
    'PLATFORM TOLD': ({ erasureItem }) => moment(erasureItem?.receivedAt ?? null),
  },
  empty: 'Nobody was found.',
  note: (input) => notSearched(targetOf(input)),
});

/** The command `candidates export`. */
export const exportCandidate: OperatorCommand = {
  summary: 'Prints everything that is stored about a person; use --json',
  options: TARGET,
  needsReveal: true,
  run: async (operator, input) => {
    const exported = await operator.candidates.export(targetOf(input));
    const count = exported.applications.length;
    return sentence(`Applications: ${count}. Add --json to print what is stored about them.`, exported);
  },
};

const eraseMany: OperatorCommand = {
  summary: 'Erases the candidates of a company, of old applications, or both',
  options: {
    company: { value: 'COMPANY', summary: 'Only applications to this company' },
    'changed-before': { value: 'TIME', summary: 'Only applications without a change since then' },
    ...CLEAR,
    'dry-run': { summary: 'Only count them' },
  },
  run: async (operator, input) => {
    const companyId = input.optionId('company');
    const changedBefore = input.optionInstant('changed-before');
    const outcome = await operator.candidates.eraseMany({
      companyId,
      changedBefore,
      clearSourceApplicationId: input.isSet('clear-source-id'),
      dryRun: input.isSet('dry-run'),
    });
    const { count, operation, notice } = outcome;
    const text =
      operation === null
        ? `Candidates that would be erased: ${count ?? 0}.`
        : `The server erases them in steps. Watch it with: operations show ${operation.id}`;
    return sentence(notice === undefined ? text : `${text}\n${notice}`, outcome);
  },
};

/** Commands on the personal data of candidates. */
export const candidateGroup: CommandGroup = {
  summary: 'Personal data of candidates',
  standard: 'list',
  commands: { list, export: exportCandidate, erase: eraseCandidate, 'erase-many': eraseMany },
};
