import type { KeyId, KeyView } from '@partner-hiring/core';
import { ReadinessSection } from '../../features/readiness/section.js';
import { TimelineList, timelineEnd } from '../../features/timelines/timeline-list.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { countText, FactList, MaybeLink, Section, Time } from '../../view/parts.js';
import { EndpointBadge } from '../parts/badges.js';
import { findKeyOfPath } from '../parts/find-by-path.js';
import { listFact } from '../parts/names.js';
import { accessActions } from './access-actions.js';
import { AccessSection } from './access-section.js';
import { grantManyCompanies } from './grant-many-act.js';
import { keyActions } from './key-actions.js';
import { revokeManyCompanies } from './revoke-many-act.js';
import { SecretsSection } from './secrets-section.js';

/** The requests per minute that the API allows a key on each route. Contract: 8.2 to 8.4. */
const LIMITS: Readonly<Record<string, number>> = {
  '/jobs': 60,
  '/applications': 60,
  '/applications/{id}': 120,
  '/events': 60,
};

/** When a partner last read each list, and how much of its limit it used then. */
export async function ReadsSection({ call, keyId }: { readonly call: ScreenCall; readonly keyId: KeyId }) {
  const last = await call.gate.call('requests.listReads', { keyId, onlyLast: true });
  return (
    <Section title="Reads and limits">
      <DataTable
        caption="The last minute with successful reads of each route"
        empty="This key has not read anything that is still in the log."
        rows={last.items}
        columns={[
          { header: 'Route', cell: ({ route }) => <code>{`GET ${route}`}</code> },
          { header: 'Last read', cell: ({ lastAt }) => <Time at={lastAt} /> },
          { header: 'Reads in that minute', isNumber: true, cell: ({ count }) => countText(count) },
          { header: 'Limit a minute', isNumber: true, cell: ({ route }) => countText(LIMITS[route] ?? 0) },
        ]}
      />
    </Section>
  );
}

/** One key: its secrets, its access, its endpoint and what happened. */
export const keysScreen: Screen = {
  name: 'keys',
  label: null,
  path: '/keys',
  within: '/partners',
  rights: ['keys:read'],
  pages: { '/keys/:key': showKey },
  actions: {
    ...keyActions,
    ...accessActions,
    '/keys/:key/grant-many': grantManyCompanies,
    '/keys/:key/revoke-many': revokeManyCompanies,
  },
};

/** Few, because the access and the secrets are above it. Links lead to earlier ones. */
const ENTRIES = 30;

async function showKey(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const keyId = call.param('key') as KeyId;
  const found = await findKeyOfPath(call);
  const timeline = await gate.call('timelines.find', { keyId, limit: ENTRIES, ...timelineEnd(call) });
  const audit = call.link('audit', '', { kind: 'key', id: keyId });
  const body = (
    <>
      <Section title={LABELS.one.key}>
        <FactList facts={await factsOf(call, found)} />
        {gate.may('keys:rotate') ? (
          <ActionButton
            action={call.at(`/keys/${keyId}/rotate`)}
            label="Rotate the secret…"
            tone="secondary"
          />
        ) : null}
      </Section>
      <SecretsSection call={call} view={found} />
      {gate.may('access:read') ? <AccessSection call={call} keyId={keyId} /> : null}
      <ReadinessSection call={call} keyId={keyId} />
      {gate.may('requests:read') ? <ReadsSection call={call} keyId={keyId} /> : null}
      <TimelineList call={call} timeline={timeline} empty="Nothing happened in this time.">
        {audit === null ? null : <a href={audit}>Acts on this key in the audit</a>}
      </TimelineList>
    </>
  );
  return {
    kind: 'page',
    title: `Key of ${found.label}`,
    crumbs: [
      { label: LABELS.all.partnersAndKeys, href: call.link('partners', '') },
      { label: found.partnerName, href: call.link('partners', `/${found.key.partnerId}`) },
    ],
    body,
  };
}

async function factsOf(call: ScreenCall, { key, partnerName }: KeyView) {
  const { id, partnerId, environment, createdAt } = key;
  const endpoint = call.gate.may('endpoints:read')
    ? await call.gate.call('endpoints.find', { keyId: id })
    : null;
  const isFailing = endpoint !== null && endpoint.health.firstFailureAt !== null;
  return [
    [LABELS.one.partner, <MaybeLink href={call.link('partners', `/${partnerId}`)}>{partnerName}</MaybeLink>],
    [LABELS.environment, environment],
    [LABELS.issuedAt, <Time at={createdAt} />],
    [
      LABELS.one.endpoint,
      <>
        <MaybeLink href={call.link('endpoints', `/${id}`)}>
          {endpoint === null ? 'Open or add it' : 'Open it'}
        </MaybeLink>{' '}
        {endpoint === null ? null : <EndpointBadge state={endpoint.state} isFailing={isFailing} />}
      </>,
    ],
    listFact(call, 'applications', { key: id }, 'Applications of this key'),
    listFact(call, 'deliveries', { key: id }, 'Deliveries to this key'),
    listFact(call, 'requests', { key: id, errors: 'yes' }, 'Refused requests of this key'),
    [LABELS.id, <Id value={id} />],
  ] as const;
}
