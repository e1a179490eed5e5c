import type { CommandGroup } from '../../command/command.js';
import { libraryCommand } from '../../command/library-command.js';
import { assertOnePerson, eraseCandidate } from './erase-command.js';
import { eraseManyCandidates } from './erase-many-command.js';

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
  standard: 'export',
  commands: { export: exportPerson, erase: eraseCandidate, 'erase-many': eraseManyCandidates },
};
