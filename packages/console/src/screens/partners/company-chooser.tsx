import type { Company, Environment, ListedAccess } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { Fields } from '../../http/screen.js';
import { ChooseAllButton } from '../../view/forms.js';

/** More companies than a list to choose from is good for. The text box takes every name. */
const MOST_LISTED = 1_000;

/** What a chooser has: ticked companies, and names that were written. */
export interface ChosenCompanies {
  readonly ids: readonly string[];
  readonly names: string;
}

/** Reads the fields of a chooser. */
export function readChosen(form: Fields): ChosenCompanies {
  return { ids: form.all('company'), names: form.text('companies') ?? '' };
}

/** Companies to choose from. */
export interface CompanyChoices {
  readonly companies: readonly Company[];
  /** Whether there are more than the list has. */
  readonly isCut: boolean;
}

/** Lists the companies of an environment to choose from, without those that a key sees. */
export async function listChoices(
  { call, may }: Gate,
  of: Environment,
  without: readonly Pick<ListedAccess, 'companyId'>[] = [],
): Promise<CompanyChoices> {
  if (!may('companies:read')) return { companies: [], isCut: false };
  const { items, nextCursor } = await call('companies.list', { environment: of, limit: MOST_LISTED });
  const seen = new Set(without.map(({ companyId }) => companyId));
  const companies = items.filter(({ id }) => !seen.has(id));
  return { companies, isCut: nextCursor !== null };
}

/** Returns the chosen companies. @throws OperatorError `COMPANY_NOT_FOUND` for names that mean none or several. */
export async function resolveChosen(
  gate: Gate,
  { ids, names }: ChosenCompanies,
  environment: Environment,
): Promise<readonly Pick<Company, 'id' | 'name'>[]> {
  const written = names.split('\n').flatMap((name) => name.trim() || []);
  const all = [...ids, ...written];
  if (all.length === 0) return [];
  return (await gate.call('companies.list', { names: all, environment })).items;
}

const MORE_COMPANIES =
  'The list has only the first companies. Write the names or the ids of others into the box below.';

/**
 * Chooses companies: from a list that the script filters, or by names, one on each line. Without scripting, only the text
 * box is shown.
 */
export function CompanyChooser({
  choices: { companies, isCut },
  chosen,
  legend,
  hint = null,
}: {
  readonly choices: CompanyChoices;
  readonly chosen: ChosenCompanies;
  readonly legend: string;
  readonly hint?: string | null;
}) {
  return (
    <fieldset class="chooser" data-chooser>
      <legend>{legend}</legend>
      {hint === null ? null : <p class="hint">{hint}</p>}
      {companies.length === 0 ? null : (
        <div data-chooser-list hidden>
          <p class="field">
            <label for="company-filter">Find a company</label>
            <input id="company-filter" type="search" autocomplete="off" data-chooser-filter />
          </p>
          <p>
            <ChooseAllButton />
          </p>
          <ul>
            {companies.map(({ id, name }) => (
              <li>
                <label>
                  <input type="checkbox" name="company" value={id} checked={chosen.ids.includes(id)} /> {name}
                </label>
              </li>
            ))}
          </ul>
          {isCut ? <p class="hint">{MORE_COMPANIES}</p> : null}
        </div>
      )}
      <p class="field" data-chooser-text data-chooser-cut={isCut ? '' : undefined}>
        <label for="companies">Names or ids, one on each line</label>
        <textarea id="companies" name="companies" rows={4} maxlength={20_000}>
          {chosen.names}
        </textarea>
      </p>
    </fieldset>
  );
}
