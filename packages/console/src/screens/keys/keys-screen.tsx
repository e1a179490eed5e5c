import type { KeyId, KeyView } from '@partner-hiring/core';
import { actsOf, sectionsOf } from '../../features/features.js';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { ActionButton } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, MaybeLink, Section, Time } from '../../view/parts.js';
import { EndpointWords, findShownEndpoint } from '../endpoints/pause-words.js';
import { findKeyOfPath } from '../parts/find-by-path.js';
import { listFact } from '../parts/names.js';
import { accessActions } from './access-actions.js';
import { AccessSection } from './access-section.js';
import { grantManyCompanies } from './grant-many-act.js';
import { keyActions } from './key-actions.js';
import { LimitsOfKey, limitsActs } from './limits-act.js';
import { revokeManyCompanies } from './revoke-many-act.js';
import { SecretsSection } from './secrets-section.js';

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
    ...limitsActs,
    ...actsOf('key'),
    '/keys/:key/grant-many': grantManyCompanies,
    '/keys/:key/revoke-many': revokeManyCompanies,
  },
};

async function showKey(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const keyId = call.param('key') as KeyId;
  const found = await findKeyOfPath(call);
  const shown = await sectionsOf('key', { call, keyId });
  const body = (
    <>
      <Section title={LABELS.one.key}>
        <FactList facts={await factsOf(call, found)} />
        {gate.may('keys:rotate') ? (
          <ActionButton action={call.at(`/keys/${keyId}/rotate`)} label="Rotate the secret…" />
        ) : null}
        <LimitsOfKey call={call} view={found} />
      </Section>
      <SecretsSection call={call} view={found} />
      {gate.may('access:read') ? <AccessSection call={call} keyId={keyId} /> : null}
      {shown.map(({ middle }) => middle)}
      {shown.map(({ end }) => end)}
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
  const endpoint = await findShownEndpoint(call.gate, id);
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
        {endpoint === null ? null : <EndpointWords gate={call.gate} endpoint={endpoint} />}
      </>,
    ],
    listFact(call, 'applications', { key: id }, 'Applications of this key'),
    listFact(call, 'deliveries', { key: id }, 'Deliveries to this key'),
    listFact(call, 'requests', { key: id, errors: 'yes' }, 'Refused requests of this key'),
    listFact(call, 'totals', { by: 'month', partner: partnerId, environment }, 'Totals of this key'),
    [
      LABELS.all.jobs,
      <MaybeLink href={call.link('totals', '/missing', { key: id })}>
        Jobs that only another key sees
      </MaybeLink>,
    ],
    [LABELS.id, <Id value={id} />],
  ] as const;
}
