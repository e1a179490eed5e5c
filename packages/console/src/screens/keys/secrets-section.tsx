import type { KeyView, SecretView } from '@partner-hiring/core';
import type { ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { type ActsOf, DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Section, StateBadge, Time } from '../../view/parts.js';

interface SecretsSectionProps {
  readonly call: ScreenCall;
  readonly view: KeyView;
}

/** The secrets of a key, without their values. */
export function SecretsSection({ call, view: { key, secrets } }: SecretsSectionProps) {
  const mayRevoke = call.gate.may('keys:revoke');
  const revoke = call.at(`/keys/${key.id}/revoke`);
  const working = secrets.filter(({ state }) => state === 'current' || state === 'replaced');
  return (
    <Section title={LABELS.key.secrets}>
      <SecretsTable
        secrets={secrets}
        caption="Secrets, newest first. The partner sends one as its API key. Expired and revoked ones do not work. The time of the last use is precise to a minute"
        empty="This key has no secret. Rotate it to create one."
        acts={(secret) =>
          mayRevoke && working.includes(secret)
            ? [{ action: revoke, label: `Revoke …${secret.lastFour}`, field: ['secret', secret.lastFour] }]
            : []
        }
      />
      {mayRevoke && working.length > 0 ? (
        <ActionButton action={revoke} label="Revoke all secrets…" fields={{ secret: 'all' }} tone="danger" />
      ) : null}
    </Section>
  );
}

interface SecretsTableProps {
  readonly secrets: readonly SecretView[];
  readonly caption: string;
  readonly empty: string;
  readonly acts?: ActsOf<SecretView>;
}

/** Secrets with their states, without their values. */
export function SecretsTable({ secrets, caption, empty, acts }: SecretsTableProps) {
  return (
    <DataTable<SecretView>
      caption={caption}
      empty={empty}
      rows={secrets}
      acts={acts}
      columns={[
        { header: 'Secret', cell: ({ prefix, lastFour }) => <code>{`${prefix}…${lastFour}`}</code> },
        {
          header: LABELS.state,
          cell: ({ state }) => <StateBadge state={state} tone={state === 'current' ? 'good' : 'calm'} />,
        },
        { header: LABELS.lastUsedAt, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
        { header: LABELS.createdAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
        { header: 'Ends', cell: ({ expiresAt, revokedAt }) => <Time at={revokedAt ?? expiresAt} isExact /> },
      ]}
    />
  );
}
