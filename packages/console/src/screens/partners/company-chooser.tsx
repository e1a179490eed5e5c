import type { Company, CompanyId, Environment } from '@partner-hiring/core';
import type { Gate } from '../../gate/gate.js';
import type { Fields } from '../../http/screen.js';

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

/** Lists the companies of an environment to choose from. */
export async function listChoices({ call, may }: Gate, of: Environment): Promise<readonly Company[]> {
  if (!may('companies:read')) return [];
  const { items } = await call('companies.list', { limit: MOST_LISTED });
  return items.filter(({ environment }) => environment === of);
}

/** Returns the ids of the chosen companies. @throws OperatorError `COMPANY_NOT_FOUND` for names that mean none or several. */
export async function resolveChosen(
  gate: Gate,
  { ids, names }: ChosenCompanies,
  environment: Environment,
): Promise<readonly CompanyId[]> {
  const written = names.split('\n').flatMap((name) => name.trim() || []);
  const all = [...ids, ...written];
  if (all.length === 0) return [];
  const companies = await gate.call('companies.resolve', { names: all, environment });
  return companies.map(({ id }) => id);
}

/**
 * Chooses companies: from a list that the script filters, or by names, one on each line. Without scripting, only the text
 * box is shown.
 */
export function CompanyChooser({
  companies,
  chosen,
}: {
  readonly companies: readonly Company[];
  readonly chosen: ChosenCompanies;
}) {
  return (
    <fieldset class="chooser" data-chooser>
      <legend>Companies whose jobs the partner sees</legend>
      {companies.length === 0 ? null : (
        <div data-chooser-list hidden>
          <p class="field">
            <label for="company-filter">Find a company</label>
            <input id="company-filter" type="search" autocomplete="off" data-chooser-filter />
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
        </div>
      )}
      <p class="field" data-chooser-text>
        <label for="companies">Names or ids, one on each line</label>
        <textarea id="companies" name="companies" rows={4} maxlength={20_000}>
          {chosen.names}
        </textarea>
      </p>
    </fieldset>
  );
}
