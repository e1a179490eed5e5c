import { notSearched } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import { PAGE_OPTIONS, pageOf, withNext } from '../../report/pages.js';
import { moment, sentence, tableReport } from '../../report/report.js';
import { CLEAR, TARGET, targetOf } from './candidate-options.js';
import { eraseCandidate } from './erase-command.js';

const list: OperatorCommand = {
  summary: 'Lists the applications of a person',
  options: { ...TARGET, ...PAGE_OPTIONS },
  run: async (operator, input) => {
    const target = targetOf(input);
    const page = await operator.candidates.list({ ...target, ...pageOf(input) });
    const { text } = tableReport(
      page.items,
      {
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
      'Nobody was found.',
    );
    return { value: page, text: withNext(`${text}\n\n${notSearched(target)}`, page.nextCursor) };
  },
};

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
