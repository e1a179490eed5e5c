import type { KeyId, ListedAccess } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton, SubmitButton, TextField } from '../../view/forms.js';
import { MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';
import { ListPager } from '../parts/define-list.js';
import { GrantManyForm, mayChooseCompanies } from './grant-many-act.js';
import { RevokeManyForm } from './revoke-many-act.js';

/**
 * The companies that a key has access to. An actor for all partners also sees those to which the key had access
 * earlier.
 */
export async function AccessSection({ call, keyId }: { readonly call: ScreenCall; readonly keyId: KeyId }) {
  const { gate, query } = call;
  const cursor = query.text('access') ?? undefined;
  const { items: access, nextCursor } = await gate.call('access.list', { keyId, cursor });
  return (
    <Section title="Access to companies" id="access">
      <DataTable
        caption={`Companies whose jobs this key sees${gate.isForAllPartners ? ', or saw' : ''}`}
        empty="This key has no access: it sees no job. Grant it access to a company."
        rows={access}
        columns={[
          {
            header: LABELS.one.company,
            cell: ({ companyId, companyName }) => (
              <MaybeLink href={call.link('companies', `/${companyId}`)}>{companyName}</MaybeLink>
            ),
          },
          {
            header: LABELS.state,
            cell: ({ revokedAt }) => (
              <StateBadge
                state={revokedAt === null ? 'active' : 'revoked'}
                tone={revokedAt === null ? 'good' : 'calm'}
              />
            ),
          },
          { header: 'Granted', cell: ({ grantedAt }) => <Time at={grantedAt} /> },
          { header: 'Revoked', cell: ({ revokedAt }) => <Time at={revokedAt} /> },
          { header: 'Extra submissions end', cell: ({ bootstrapUntil }) => <Time at={bootstrapUntil} /> },
          { header: 'Actions', cell: (row) => <AccessButtons call={call} row={row} /> },
        ]}
      />
      <ListPager call={call} path={`/keys/${keyId}`} next={nextCursor} name="access" />
      {gate.may('access:grant') && !mayChooseCompanies(call) ? (
        <form class="inline" method="post" action={call.at(`/keys/${keyId}/grant`)}>
          <TextField name="company" label={LABELS.companyId} isRequired maxLength={200} />
          <SubmitButton label="Grant access…" />
        </form>
      ) : null}
      <GrantManyForm call={call} keyId={keyId} />
      <RevokeManyForm call={call} keyId={keyId} />
    </Section>
  );
}

interface AccessButtonsProps {
  readonly call: ScreenCall;
  readonly row: ListedAccess;
}

function AccessButtons({ call, row: { keyId, companyId, revokedAt } }: AccessButtonsProps) {
  const { gate } = call;
  const to = (act: string) => call.at(`/keys/${keyId}/${act}`);
  const fields = { company: companyId };
  if (revokedAt !== null) {
    return gate.isForAllPartners && gate.may('access:grant') ? (
      <ActionButton action={to('grant')} label="Grant again…" fields={fields} />
    ) : (
      <span>–</span>
    );
  }
  return (
    <span class="actions">
      {gate.may('access:bootstrap') ? (
        <ActionButton action={to('bootstrap')} label="Allow more…" fields={fields} />
      ) : null}
      {gate.may('access:revoke') ? (
        <ActionButton action={to('revoke-access')} label="Revoke…" fields={fields} />
      ) : null}
    </span>
  );
}
