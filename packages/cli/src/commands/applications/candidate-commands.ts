import type { CandidateTarget, ErasureReceipt } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand } from '../../command/command.js';
import type { CommandInput } from '../../command/command-input.js';
import { UsageError } from '../../command/usage-error.js';
import { moment, sentence, tableReport } from '../../report/report.js';

/** The options that name a person. */
const TARGET = {
  application: { value: 'APPLICATION', summary: 'One application' },
  email: { value: 'ADDRESS', summary: 'All applications with this e-mail address, in any letter case' },
  phone: { value: 'NUMBER', summary: 'All applications with this number, such as +14155550123' },
  country: { value: 'COUNTRY', summary: 'The country of a number without a country code' },
} as const;

const CLEAR = {
  'clear-source-id': { summary: "Also clear the partner's own id; the partner sees the change" },
} as const;

const find: OperatorCommand = {
  summary: 'Finds the applications of a person',
  options: {
    ...TARGET,
    cursor: { value: 'CURSOR', summary: 'The cursor of the next page' },
    limit: { value: 'N', summary: '1 to 1000, default 100' },
  },
  run: async (operator, input) => {
    const cursor = input.option('cursor');
    const limit = input.optionNumber('limit');
    const page = await operator.candidates.find({
      ...targetOf(input),
      ...(cursor === undefined ? {} : { cursor }),
      ...(limit === undefined ? {} : { limit }),
    });
    const { text } = tableReport(
      page.applications,
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
    const next = page.nextCursor === null ? '' : `\n\nNext page: --cursor ${page.nextCursor}`;
    return { value: page, text: `${text}${next}` };
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

/** The command `candidates erase`. */
export const eraseCandidate: OperatorCommand = {
  summary: 'Erases the data of a person, permanently',
  options: { ...TARGET, ...CLEAR },
  run: async (operator, input) => {
    const receipt = await operator.candidates.erase({
      ...targetOf(input),
      clearSourceApplicationId: input.isSet('clear-source-id'),
    });
    return sentence(describeReceipt(receipt), receipt);
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
      ...(companyId === undefined ? {} : { companyId }),
      ...(changedBefore === undefined ? {} : { changedBefore }),
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
  standard: 'find',
  commands: { find, export: exportCandidate, erase: eraseCandidate, 'erase-many': eraseMany },
};

/** Reads which person is meant. */
function targetOf(input: CommandInput): CandidateTarget {
  const applicationId = input.optionId('application');
  const [email, phone, country] = [input.option('email'), input.option('phone'), input.option('country')];
  const given = [applicationId, email, phone].filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new UsageError('Name the person with one of --application, --email and --phone.');
  if (applicationId !== undefined) return { applicationId };
  if (email !== undefined) return { email };
  return { phone: phone ?? '', ...(country === undefined ? {} : { country }) };
}

function describeReceipt(receipt: ErasureReceipt): string {
  const { applications, counts } = receipt;
  if (applications.length === 0) return 'Nobody was found.';
  if (applications.every(({ changed }) => !changed)) {
    return ['Unchanged: the data was erased before.', ...describeItems(receipt)].join(' ');
  }
  const ids = applications.map(({ id }) => id).join(', ');
  const resumes = counts.resumeFiles === 0 ? '' : ` Résumés to remove: ${counts.resumeFiles}.`;
  const items = describeItems(receipt).map((text) => ` ${text}`);
  return `Erased: ${ids}.${resumes}${items.join('')} Keep the receipt: --json prints it.`;
}

/** Says whether the platform knows, unless the inbox is about to tell it. */
function describeItems({ applications, notice }: ErasureReceipt): readonly string[] {
  if (notice !== null) return [notice];
  const items = applications.map(({ erasureItem }) => erasureItem);
  const received = items.flatMap((item) => item?.receivedAt ?? []);
  if (received.length === items.length) {
    return [`The platform acknowledged the erasure at ${moment(Math.max(...received))}.`];
  }
  return items.some((item) => item !== null && item.parkedAt !== null)
    ? ['The platform refused the erasure for a day: see `inbox parked`.']
    : [];
}
