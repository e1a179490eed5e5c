import type { InputOf, ResultOf } from '@partner-hiring/core';
import type { CommandGroup, OperatorCommand, Report } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import { libraryCommand } from '../../command/library-command.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';
import { sentence } from '../../report/report.js';
import { assertOnePerson, eraseCandidate } from './erase-command.js';

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

const manyForm = formOf('candidates.eraseMany');

const eraseMany: OperatorCommand = {
  library: 'candidates.eraseMany',
  summary: 'Erases the candidates of a company, of old applications, or both; counts them and asks first',
  options: { ...manyForm.options, ...YES_OPTION },
  run: async (operator, input, dialog) => {
    const given = manyForm.read<InputOf<'candidates.eraseMany'>>(input);
    if (given.dryRun !== true && !input.isSet('yes')) {
      const { count } = await operator.candidates.eraseMany({ ...given, dryRun: true });
      const found = count ?? 0;
      const refused = await askFirst(input, dialog, {
        count: found,
        question: `Erase the data of ${counted(found, 'application')}? This cannot be undone.`,
        refusal: `Nothing was erased. Applications found: ${found}.`,
        value: { erased: false, applications: found },
      });
      if (refused !== null) return refused;
    }
    return describeMany(await operator.candidates.eraseMany(given));
  },
};

/** Commands on the personal data of candidates. */
export const candidateGroup: CommandGroup = {
  summary: 'Personal data of candidates',
  standard: 'export',
  commands: { export: exportPerson, erase: eraseCandidate, 'erase-many': eraseMany },
};

function describeMany(erasure: ResultOf<'candidates.eraseMany'>): Report {
  const { count, operation, notice } = erasure;
  const text =
    operation === null
      ? `Candidates that would be erased: ${count ?? 0}.`
      : `The server erases them in steps. Watch it with: operations show ${operation.id}`;
  return sentence(notice === undefined ? text : `${text}\n${notice}`, erasure);
}
