import type { KeyId, KeyView, ListedAccess } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { HiddenFields, SubmitButton, TextField } from '../../view/forms.js';
import { countText, someOf } from '../../view/parts.js';
import { defineAct, RefusedAct } from '../parts/define-act.js';
import { findKeyOfPath } from '../parts/find-by-path.js';
import { findToRevoke } from './companies-to-grant.js';

interface Revocations {
  readonly view: KeyView;
  readonly companies: readonly ListedAccess[];
}

/** Revokes a key's access to the companies whose names begin with a text, and says how many first. */
export const revokeManyCompanies = defineAct<Revocations>({
  find: async (call) => {
    const view = await findKeyOfPath(call);
    const companies = await findToRevoke(call.gate, view.key.id, call.form.text('begin') ?? '');
    if (companies.length === 0) throw new RefusedAct('no-company-to-revoke');
    if (call.isConfirmed && call.form.text('count') !== String(companies.length))
      throw new RefusedAct('companies-changed');
    return { view, companies };
  },
  ask: ({ view, companies }) => ({
    title: `Revoke access to ${countText(companies.length)} ${companies.length === 1 ? 'company' : 'companies'}?`,
    text: 'The key no longer sees the jobs of these companies and can no longer submit to them. Its endpoint gets an event for each job. It still reads its applications. All of it happens, or nothing.',
    facts: [
      [LABELS.one.partnerKey, view.label],
      [LABELS.all.companies, someOf(companies.map(({ companyName }) => companyName))],
    ],
    confirm: LABELS.button.revokeAccess,
    more: <HiddenFields fields={[['count', String(companies.length)]]} />,
  }),
  run: async ({ view, companies }, { gate }) => {
    const targets = companies.map(({ companyId }) => ({ keyId: view.key.id, companyId }));
    const outcomes = await gate.call('access.revoke', targets);
    return ['access-revoked-many', outcomes.filter(({ changed }) => changed).length];
  },
});

/** The form that chooses the companies. Null for an actor who may not revoke access to all of them. */
export function RevokeManyForm({ call, keyId }: { readonly call: ScreenCall; readonly keyId: KeyId }) {
  if (!call.gate.isForAllPartners || !call.gate.may('access:revoke')) return null;
  return (
    <details>
      <summary>Revoke access to many companies</summary>
      <form class="inline" method="post" action={call.at(`/keys/${keyId}/revoke-many`)}>
        <TextField
          name="begin"
          label="Companies with access whose names begin with"
          hint="Empty: all of them. At most 1,000 at once."
          maxLength={200}
        />
        <SubmitButton label="Count, then revoke access…" />
      </form>
    </details>
  );
}
