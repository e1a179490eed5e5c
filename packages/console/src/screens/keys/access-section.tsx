import type { KeyId, ListedAccess } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable, type RowAct } from '../../view/data-table.js';
import { SubmitButton, TextField } from '../../view/forms.js';
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
        ]}
        acts={(row) => accessActs(call, row)}
      />
      <ListPager call={call} path={`/keys/${keyId}`} next={nextCursor} name="access" />
      {gate.may('access:grant') && !mayChooseCompanies(call) ? (
        <form class="inline" method="post" action={call.at(`/keys/${keyId}/grant`)}>
          <TextField name="company" label={LABELS.companyId} isRequired maxLength={200} />
          <SubmitButton label="Grant access…" />
        </form>
      ) : null}
      <GrantManyForm call={call} keyId={keyId} isOpen={access.length === 0} />
      <RevokeManyForm call={call} keyId={keyId} />
    </Section>
  );
}

function accessActs(
  { gate, at }: ScreenCall,
  { keyId, companyId, revokedAt }: ListedAccess,
): readonly RowAct[] {
  const act = (path: string, label: string) => ({
    action: at(`/keys/${keyId}/${path}`),
    label,
    field: ['company', companyId] as const,
  });
  if (revokedAt !== null)
    return gate.isForAllPartners && gate.may('access:grant') ? [act('grant', 'Grant again…')] : [];
  return [
    ...(gate.may('access:bootstrap') ? [act('bootstrap', 'Allow more…')] : []),
    ...(gate.may('access:revoke') ? [act('revoke-access', 'Revoke…')] : []),
  ];
}
