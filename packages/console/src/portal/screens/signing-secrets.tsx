import type { PortalEndpoint } from '@partner-hiring/core';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { StateBadge, Time } from '../../view/parts.js';

/** The secrets that sign now, without their values: when each was created, and until when it signs. */
export function SigningSecrets({ secrets }: { readonly secrets: PortalEndpoint['signingSecrets'] }) {
  return (
    <DataTable<PortalEndpoint['signingSecrets'][number]>
      caption={
        secrets.length === 1
          ? 'Signing secret: each event is signed with it'
          : 'Signing secrets: each event is signed with all of them, so your receiver may verify with either'
      }
      empty="No secret signs."
      rows={secrets}
      columns={[
        {
          header: LABELS.endpoint.signingSecret,
          cell: ({ expiresAt }) => (
            <StateBadge
              state={expiresAt === null ? 'current' : 'replaced'}
              tone={expiresAt === null ? 'good' : 'calm'}
            />
          ),
        },
        { header: LABELS.createdAt, cell: ({ createdAt }) => <Time at={createdAt} isExact /> },
        {
          header: 'Signs until',
          cell: ({ expiresAt }) => (expiresAt === null ? 'you rotate it' : <Time at={expiresAt} isExact />),
        },
      ]}
    />
  );
}
