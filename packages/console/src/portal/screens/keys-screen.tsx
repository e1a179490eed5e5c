import type { OwnCompany, OwnKey } from '@partner-hiring/core';
import type { PageContent } from '../../http/screen.js';
import { SecretsTable } from '../../screens/keys/secrets-section.js';

import {
  CurrentField,
  OverlapField,
  overlapFact,
  readCurrent,
  readOverlap,
  secretPage,
} from '../../screens/parts/secret-page.js';
import { DataTable, Pager } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, Note, Section, Time } from '../../view/parts.js';
import { definePortalAct, type PortalCall, type PortalScreen } from '../portal-call.js';
import { environmentName, findOwnKey } from './own-keys.js';

async function showKeys(call: PortalCall): Promise<PageContent> {
  const keys = await call.own.keys();
  const body =
    keys.length === 0 ? (
      <Note>You have no key yet. Ask the support for one.</Note>
    ) : (
      <div>
        {keys.map((own) => (
          <KeySection call={call} own={own} />
        ))}
      </div>
    );
  return { kind: 'page', title: 'Keys and secrets', body };
}

function KeySection({
  call,
  own,
  isAlone = false,
}: {
  readonly call: PortalCall;
  readonly own: OwnKey;
  /** Whether the section is on the page of the key. */
  readonly isAlone?: boolean;
}) {
  const { id, environment, secrets } = own;
  return (
    <Section
      title={environment === 'production' ? 'Production: real jobs and candidates' : 'Sandbox: for tests'}
    >
      <SecretsTable
        secrets={secrets}
        caption="API keys, newest first. Expired and revoked ones do not work. The time of the last use is precise to a minute"
        empty="No API key works. Ask the support for a new one."
      />
      <div class="actions">
        {call.may('rotateKey') ? (
          <ActionButton
            action={call.at(`/keys/${id}/rotate`)}
            label={`Rotate the ${environment} API key…`}
            tone="secondary"
          />
        ) : null}
        {isAlone ? null : (
          <a href={call.at(`/keys/${id}`)}>{`Companies whose ${environment} jobs you see`}</a>
        )}
      </div>
    </Section>
  );
}

/** The requests per minute that the API allows a key on each route, unless the reference says otherwise. Spec: Limits. */
const LIMITS = [
  ['POST /applications', '10 for each company'],
  ['GET /applications/{id}', '120'],
  ['GET /applications', '60'],
  ['GET /jobs', '60'],
] as const;

async function showKey(call: PortalCall): Promise<PageContent> {
  const key = await findOwnKey(call, 'id');
  const { id, environment, createdAt } = key;
  const cursor = call.query.text('cursor') ?? undefined;
  const companies = (await call.own.companies(id, { cursor })) ?? { items: [], nextCursor: null };
  const path = `/keys/${id}`;
  const body = (
    <>
      <KeySection call={call} own={key} isAlone />
      <Section title="Companies">
        <DataTable<OwnCompany>
          caption="Companies that work with you. You see their open jobs, and may submit candidates to them"
          empty="No company works with you yet, so GET /jobs returns no job. Ask the support which companies you get."
          rows={companies.items}
          columns={[
            { header: 'Company', cell: ({ companyName }) => companyName },
            { header: 'Since', cell: ({ grantedAt }) => <Time at={grantedAt} /> },
            {
              header: 'Higher limit until',
              cell: ({ bootstrapUntil }) => <Time at={bootstrapUntil} />,
            },
            { header: 'Id', cell: ({ companyId }) => <Id value={companyId} /> },
          ]}
        />
        <Pager
          first={cursor === undefined ? null : call.at(path)}
          next={companies.nextCursor === null ? null : call.at(path, { cursor: companies.nextCursor })}
        />
      </Section>
      <Section title="Requests in a minute">
        <FactList facts={LIMITS.map(([route, limit]) => [route, limit] as const)} />
        <p class="hint">
          Beyond it, the answer is 429, and its header Retry-After says how long to wait. The documentation
          may name other limits of this service.
        </p>
      </Section>
      <Section title="Key">
        <FactList
          facts={[
            ['Environment', environmentName(environment)],
            ['Issued', <Time at={createdAt} />],
            ['Id', <Id value={id} />],
          ]}
        />
      </Section>
    </>
  );
  const crumbs = [{ label: 'Keys and secrets', href: call.at('/keys') }];
  return { kind: 'page', title: `Your ${environment} key`, crumbs, body };
}

const rotate = definePortalAct<OwnKey>({
  back: (call) => call.at('/keys'),
  find: (call) => findOwnKey(call, 'id'),
  ask: (key) => ({
    title: `Rotate the ${key.environment} API key?`,
    text: 'You see the new API key once, on the next page. Put it into your system before the old one stops working. If somebody else may have the old one, let it stop now.',
    facts: [
      ['Environment', environmentName(key.environment)],
      ['Last used', <Time at={lastUseOf(key)} />],
    ],
    confirm: 'Rotate',
    isReversible: true,
    more: (
      <>
        <CurrentField value={currentSecretOf(key)?.lastFour ?? ''} />
        <OverlapField label="How long the old API key continues to work" />
      </>
    ),
  }),
  once: () => ({
    code: 'SECRET_REPLACED',
    title: 'The API key was rotated already',
    text: 'This form was sent a second time, so nothing was done. A new API key is shown only once. If nobody saved it, go back and rotate again.',
  }),
  run: async ({ id, environment }, call) => {
    const overlapMs = readOverlap(call.form);
    const { secret } = await call.own.rotateKey({
      keyId: id,
      overlapMs,
      ifCurrent: readCurrent(call.form),
    });
    return secretPage({
      title: 'New API key',
      text: 'Send it with each request, in the header Authorization: Bearer.',
      facts: [
        ['Environment', environmentName(environment)],
        [
          'Old API key',
          overlapMs === 0 ? 'does not work anymore' : overlapFact(overlapMs, 'work').replace('work', 'works'),
        ],
      ],
      secrets: [['API key', secret]],
      crumbs: [{ label: 'Keys and secrets', href: call.at('/keys') }],
      next: { label: 'I have saved it: back to the keys', href: call.at('/keys') },
    });
  },
});

/** The newest one if all have ended. */
function currentSecretOf({ secrets }: OwnKey) {
  return secrets.find(({ state }) => state === 'current') ?? secrets[0];
}

function lastUseOf({ secrets }: OwnKey): number | null {
  const uses = secrets.flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return uses.length === 0 ? null : Math.max(...uses);
}

/** The partner's keys, their secrets, and the companies whose jobs they see. */
export const portalKeysScreen: PortalScreen = {
  name: 'keys',
  label: 'Keys and secrets',
  path: '/keys',
  rights: ['keys'],
  pages: { '/keys': showKeys, '/keys/:id': showKey },
  actions: { '/keys/:id/rotate': rotate },
};
