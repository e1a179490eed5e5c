import { notSearched } from '@partner-hiring/core';
import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { listCommand } from '../../report/list-command.js';
import { moment } from '../../report/report.js';
import { assertOnePerson, eraseCandidate } from './erase-command.js';
import { eraseManyCandidates } from './erase-many-command.js';

const list = listCommand('candidates.list', {
  complete: (target) => {
    assertOnePerson(target);
    return target;
  },
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
  note: notSearched,
});

/** The command `candidates export`. */
export const exportPerson = libraryCommand(
  'candidates.export',
  ({ applications }) =>
    `Applications: ${applications.length}. Add --json to print what is stored about them.`,
  {
    summary: 'Prints everything that is stored about a person; use --json',
    needsReveal: true,
    check: assertOnePerson,
  },
);

/** Commands on the personal data of candidates. */
export const candidateGroup: CommandGroup = {
  summary: 'Personal data of candidates',
  standard: 'list',
  commands: { list, export: exportPerson, erase: eraseCandidate, 'erase-many': eraseManyCandidates },
};
