import { type Company, type KeyId, type KeyView, OperatorError } from '@partner-hiring/core';
import { errorPage } from '../../http/error-pages.js';
import type { RunAction, ScreenAction, ScreenCall } from '../../http/screen.js';
import { HiddenFields, TextField } from '../../view/forms.js';
import { countText, someOf } from '../../view/parts.js';
import { CompanyChooser, listChoices, readChosen, resolveChosen } from '../partners/company-chooser.js';
import { defineAct, RefusedAct } from '../parts/define-act.js';
import { findToGrant, listSeen } from './companies-to-grant.js';
import { findKey } from './find-key.js';

interface Grants {
  readonly view: KeyView;
  readonly companies: readonly Pick<Company, 'id' | 'name'>[];
}

function pageOf(call: ScreenCall): string {
  return call.at(`/keys/${encodeURIComponent(call.param('key'))}`);
}

const grantChosen = defineAct<Grants>({
  back: pageOf,
  find: async (call) => {
    const view = await findKey(call);
    const isFiltered = call.form.text('by') === 'filter';
    const companies = isFiltered
      ? await findToGrant(call.gate, view.key, call.form.text('begin') ?? '')
      : await resolveChosen(call.gate, readChosen(call.form), view.key.environment);
    if (companies.length === 0) throw new RefusedAct(isFiltered ? 'no-company-to-grant' : 'choose-companies');
    const asked = call.form.text('count');
    if (call.isConfirmed && isFiltered && asked !== String(companies.length))
      throw new RefusedAct('companies-changed');
    return { view, companies };
  },
  ask: ({ view, companies }) => ({
    title: `Grant access to ${countText(companies.length)} ${companies.length === 1 ? 'company' : 'companies'}?`,
    text: 'The key sees every open job of these companies at once, and may submit candidates to them. Its endpoint gets an event for each job. Access that was revoked is granted again. All of it happens, or nothing.',
    facts: [
      ['Partner key', view.label],
      ['Companies', someOf(companies.map(({ name }) => name))],
    ],
    confirm: 'Grant access',
    isReversible: true,
    more: <HiddenFields fields={[['count', String(companies.length)]]} />,
  }),
  run: async ({ view, companies }, { gate }) => {
    const companyIds = companies.map(({ id }) => id);
    const outcomes = await gate.call('access.grantMany', { keyId: view.key.id, companyIds });
    return ['access-granted-many', outcomes.filter(({ changed }) => changed).length];
  },
});

/** Grants a key access to many companies, and says how many first. Explains names that mean no company. */
export const grantManyCompanies: RunAction = async (call: ScreenAction) => {
  try {
    return await grantChosen(call);
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'COMPANY_NOT_FOUND') throw error;
    const page = errorPage(400, 'That was not understood', error.message);
    return { ...page, crumbs: [{ label: 'Back', href: pageOf(call) }] };
  }
};

/** Returns whether the actor may grant a key access to any company. */
export function mayChooseCompanies({ gate }: ScreenCall): boolean {
  return gate.isForAllPartners && gate.may('access:grant') && gate.may('companies:read');
}

/** The form that chooses among the companies that the key does not see. Null for an actor who may not grant access to all. */
export async function GrantManyForm({ call, keyId }: { readonly call: ScreenCall; readonly keyId: KeyId }) {
  const { gate } = call;
  if (!mayChooseCompanies(call)) return null;
  const { key } = await findKey(call);
  const seen = await listSeen(gate, keyId, 1);
  const choices = await listChoices(gate, key.environment, seen);
  const none = `There is no ${key.environment} company that this key does not see.`;
  return (
    <details open>
      <summary>Grant access to companies</summary>
      <form method="post" action={call.at(`/keys/${keyId}/grant-many`)}>
        <CompanyChooser
          choices={choices}
          chosen={{ ids: [], names: '' }}
          legend="Companies that this key does not see"
          hint={choices.companies.length === 0 && !choices.isCut ? none : null}
        />
        <button type="submit" class="secondary">
          Grant access to them…
        </button>
      </form>
      <form class="inline" method="post" action={call.at(`/keys/${keyId}/grant-many`)}>
        <HiddenFields fields={[['by', 'filter']]} />
        <TextField
          name="begin"
          label="Companies without access whose names begin with"
          hint="Empty: all of them. At most 1,000 at once."
          maxLength={200}
        />
        <button type="submit" class="secondary">
          Count, then grant access…
        </button>
      </form>
    </details>
  );
}
