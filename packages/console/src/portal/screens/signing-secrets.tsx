import type { OwnSigningSecret } from '@partner-hiring/core';
import { DataTable } from '../../view/data-table.js';
import { StateBadge, Time } from '../../view/parts.js';

/** The secrets that sign now, without their values: when each was created, and until when it signs. */
export function SigningSecrets({ secrets }: { readonly secrets: readonly OwnSigningSecret[] }) {
  return (
    <DataTable<OwnSigningSecret>
      caption={
        secrets.length === 1
          ? 'Signing secret: each event is signed with it'
          : 'Signing secrets: each event is signed with all of them, so your receiver may verify with either'
      }
      empty="No secret signs."
      rows={secrets}
      columns={[
        {
          header: 'Signing secret',
          cell: ({ signsUntil }) => (
            <StateBadge
              state={signsUntil === null ? 'current' : 'replaced'}
              tone={signsUntil === null ? 'good' : 'calm'}
            />
          ),
        },
        { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} isExact /> },
        {
          header: 'Signs until',
          cell: ({ signsUntil }) =>
            signsUntil === null ? 'you rotate it' : <Time at={signsUntil} isExact />,
        },
      ]}
    />
  );
}
