import type { InputOf, ResultOf } from '@partner-hiring/core';
import type { OperatorCommand, Report } from '../../command/command.js';
import { formOf } from '../../command/command-form.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';
import { sentence } from '../../report/report.js';

const form = formOf('candidates.eraseMany');

/** The command `candidates erase-many`. */
export const eraseManyCandidates: OperatorCommand = {
  library: 'candidates.eraseMany',
  summary: 'Erases the candidates of a company, of old applications, or both; counts them and asks first',
  options: { ...form.options, ...YES_OPTION },
  run: async (operator, input, dialog) => {
    const given = form.read<InputOf<'candidates.eraseMany'>>(input);
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
    return describe(await operator.candidates.eraseMany(given));
  },
};

function describe(erasure: ResultOf<'candidates.eraseMany'>): Report {
  const { count, operation, notice } = erasure;
  const text =
    operation === null
      ? `Candidates that would be erased: ${count ?? 0}.`
      : `The server erases them in steps. Watch it with: operations show ${operation.id}`;
  return sentence(notice === undefined ? text : `${text}\n${notice}`, erasure);
}
