import { type Company, type KeyId, type KeyView, OperatorError } from '@partner-hiring/core';
import { pageBelow, type RunAction, type ScreenAction, type ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { HiddenFields, SubmitButton, TextField } from '../../view/forms.js';
import { Alert, countText, someOf } from '../../view/parts.js';
import {
  type ChosenCompanies,
  CompanyChooser,
  listChoices,
  readChosen,
  resolveChosen,
} from '../partners/company-chooser.js';
import { defineAct, pageOfAct, RefusedAct } from '../parts/define-act.js';
import { findKeyOfPath } from '../parts/find-by-path.js';
import { findToGrant, listSeen } from './companies-to-grant.js';

interface Grants {
  readonly view: KeyView;
  readonly companies: readonly Pick<Company, 'id' | 'name'>[];
}

const grantChosen = defineAct<Grants>({
  find: async (call) => {
    const view = await findKeyOfPath(call);
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
      [LABELS.one.partnerKey, view.label],
      [LABELS.all.companies, someOf(companies.map(({ name }) => name))],
    ],
    confirm: LABELS.button.grantAccess,
    more: <HiddenFields fields={[['count', String(companies.length)]]} />,
  }),
  run: async ({ view, companies }, { gate }) => {
    const grants = companies.map(({ id }) => ({ keyId: view.key.id, companyId: id }));
    const outcomes = await gate.call('access.grant', grants);
    return ['access-granted-many', outcomes.filter(({ changed }) => changed).length];
  },
});

/** Grants a key access to many companies, and says how many first. Explains names that mean no company. */
export const grantManyCompanies: RunAction = async (call: ScreenAction) => {
  try {
    return await grantChosen(call);
  } catch (error) {
    const isMistyped = error instanceof OperatorError && error.code === 'COMPANY_NOT_FOUND';
    if (!isMistyped || !mayChooseCompanies(call)) throw error;
    const body = (
      <section class="card">
        <Alert>{error.message}</Alert>
        <ChooserForm call={call} view={await findKeyOfPath(call)} chosen={readChosen(call.form)} />
      </section>
    );
    const above = { label: 'Back', href: pageOfAct(call) };
    return { ...pageBelow(above, 'Grant access to companies', body), status: 400 };
  }
};

/** Returns whether the actor may grant a key access to any company. */
export function mayChooseCompanies({ gate }: ScreenCall): boolean {
  return gate.isForAllPartners && gate.may('access:grant') && gate.may('companies:read');
}

/** The form that chooses among the companies that the key does not see. Null for an actor who may not grant access to all. */
export async function GrantManyForm({
  call,
  keyId,
  isOpen,
}: {
  readonly call: ScreenCall;
  readonly keyId: KeyId;
  readonly isOpen: boolean;
}) {
  if (!mayChooseCompanies(call)) return null;
  return (
    <details open={isOpen}>
      <summary>Grant access to companies</summary>
      <ChooserForm call={call} view={await findKeyOfPath(call)} chosen={{ ids: [], names: '' }} />
      <form class="inline" method="post" action={call.at(`/keys/${keyId}/grant-many`)}>
        <HiddenFields fields={[['by', 'filter']]} />
        <TextField
          name="begin"
          label="Companies without access whose names begin with"
          hint="Empty: all of them. At most 1,000 at once."
          maxLength={200}
        />
        <SubmitButton label="Count, then grant access…" />
      </form>
    </details>
  );
}

interface ChooserFormProps {
  readonly call: ScreenCall;
  readonly view: KeyView;
  readonly chosen: ChosenCompanies;
}

/** Chooses companies by ticking or by names. After a mistyped name, it has what was chosen. */
async function ChooserForm({ call, view: { key }, chosen }: ChooserFormProps) {
  const choices = await listChoices(call.gate, key.environment, await listSeen(call.gate, key.id, 1));
  const none = `There is no ${key.environment} company that this key does not see.`;
  return (
    <form method="post" action={call.at(`/keys/${key.id}/grant-many`)}>
      <CompanyChooser
        choices={choices}
        chosen={chosen}
        legend="Companies that this key does not see"
        hint={choices.companies.length === 0 && !choices.isCut ? none : null}
      />
      <SubmitButton label="Grant access to them…" />
    </form>
  );
}
