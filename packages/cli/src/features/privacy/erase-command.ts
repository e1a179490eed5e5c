import { rm, writeFile } from 'node:fs/promises';
import type { CandidateTarget, ErasureInput, ErasureReceipt, ListedApplication } from '@partner-hiring/core';
import type { AnyOperator, OperatorCommand } from '../../command/command.js';
import { UsageError } from '../../command/command-error.js';
import { formOf } from '../../command/command-form.js';
import { askFirst, counted, YES_OPTION } from '../../report/ask-first.js';
import { allRows } from '../../report/list-command.js';
import { openNewFile } from '../../report/new-file.js';
import { jsonText, moment, sentence } from '../../report/report.js';
import { terminalText } from '../../report/terminal-text.js';

const form = formOf('candidates.erase');

/** The command `candidates erase`. */
export const eraseCandidate: OperatorCommand = {
  library: 'candidates.erase',
  summary: 'Erases the data of a person permanently; counts the applications and asks first',
  options: {
    ...form.options,
    ...YES_OPTION,
    receipt: { value: 'FILE', summary: 'Also write the receipt to this new file, as JSON' },
  },
  run: async (operator, input, dialog) => {
    const given = form.read<ErasureInput>(input);
    const { clearSourceApplicationId = false, ...target } = given;
    assertOnePerson(target);
    if (!input.isSet('yes')) {
      const found = await applicationsOf(operator, target);
      const changing = found.filter(({ erasedAt }) => erasedAt === null || clearSourceApplicationId);
      const refused = await askFirst(input, dialog, {
        count: changing.length,
        question: questionOf(changing),
        refusal: `Nothing was erased. Applications found: ${changing.length}.`,
        value: { erased: false, applications: changing.length },
      });
      if (refused !== null) return refused;
    }
    const file = input.option('receipt');
    // Created before the erasure, so that the receipt is not lost. Never overwrites another receipt.
    if (file !== undefined) await (await openNewFile(file, 'Nothing was erased.', '--receipt')).close();
    try {
      const receipt = await operator.candidates.erase(given);
      if (file !== undefined) await writeFile(file, `${jsonText(receipt)}\n`);
      return sentence(describeReceipt(receipt, file), receipt);
    } catch (error) {
      if (file !== undefined) await rm(file, { force: true });
      throw error;
    }
  },
};

/** Returns the applications to erase. Only a look-up by id finds one that was erased before. */
async function applicationsOf(
  { applications, system }: AnyOperator,
  { applicationId, ...person }: CandidateTarget,
): Promise<readonly ListedApplication[]> {
  if (applicationId === undefined) return allRows(applications.each({ ...person, limit: 1_000 }));
  const found = await system.search({ text: applicationId });
  return found.applications.filter(({ id }) => id === applicationId);
}

/** A longer list would scroll the question off the screen. */
const MOST_LISTED = 20;

function questionOf(applications: readonly ListedApplication[]): string {
  const lines = applications
    .slice(0, MOST_LISTED)
    .map(({ id, partnerName, companyName, jobTitle, erasedAt }) => {
      const state = erasedAt === null ? '' : ` (erased ${moment(erasedAt)}; clears the partner's own id)`;
      return `  ${id}  ${terminalText(`${partnerName}, ${companyName}, ${jobTitle}`)}${state}`;
    });
  const hidden = applications.length - lines.length;
  if (hidden > 0) lines.push(`  … and ${hidden} more`);
  const count = counted(applications.length, 'application');
  return `${lines.join('\n')}\nErase the data of ${count}? This cannot be undone.`;
}

function describeReceipt(receipt: ErasureReceipt, file: string | undefined): string {
  const { applications, counts, erasedAt, notSearched } = receipt;
  if (applications.length === 0) return `Nobody was found. ${notSearched}`;
  const kept =
    file === undefined ? 'Keep the receipt: --json prints it.' : `The receipt is in ${terminalText(file)}.`;
  const ids = applications.map(({ id }) => id).join(', ');
  const isRepeated = applications.every(({ changed }) => !changed);
  const erased = isRepeated ? `Unchanged: the data was erased at ${moment(erasedAt)}.` : `Erased: ${ids}.`;
  const resumes = counts.resumeFiles === 0 ? [] : [`Résumés to remove: ${counts.resumeFiles}.`];
  return [erased, ...resumes, ...describeItems(receipt), kept, notSearched].join(' ');
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
    ? ['The platform refused the erasure for a day: see `inbox list --state parked`.']
    : [];
}

/** @throws UsageError unless the line names a person in one way. */
export function assertOnePerson(target: CandidateTarget): void {
  const given = [target.applicationId, target.email, target.phone].filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new UsageError('Name the person with one of --application, --email and --phone.');
}
