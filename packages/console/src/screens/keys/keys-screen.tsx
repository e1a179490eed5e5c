import type { KeyId, KeyView } from '@partner-hiring/core';
import type { PageContent, Screen, ScreenCall } from '../../http/screen.js';
import { ActionButton } from '../../view/forms.js';
import { FactList, MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';
import { mustFind } from '../parts/must-find.js';
import { TimelineList, timelineEnd } from '../parts/timeline-list.js';
import { accessActions } from './access-actions.js';
import { AccessSection } from './access-section.js';
import { keyActions } from './key-actions.js';
import { ReadsSection } from './reads-section.js';
import { SecretsSection } from './secrets-section.js';

/** One key: its secrets, its access, its endpoint and what happened. */
export const keysScreen: Screen = {
  name: 'keys',
  label: null,
  path: '/keys',
  rights: ['keys:read'],
  pages: { '/keys/:key': showKey },
  actions: { ...keyActions, ...accessActions },
};

const ENTRIES = 100;

async function showKey(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const keyId = call.param('key') as KeyId;
  const found = await mustFind(gate.call('keys.find', { keyId }));
  const timeline = await gate.call('keys.timeline', { keyId, limit: ENTRIES, ...timelineEnd(call) });
  const audit = call.link('audit', '', { kind: 'key', id: keyId });
  const body = (
    <>
      <Section title="Key">
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
      { label: 'Partners and keys', href: call.link('partners', '') },
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
    ['Id', <code>{id}</code>],
    ['Partner', <MaybeLink href={call.link('partners', `/${partnerId}`)}>{partnerName}</MaybeLink>],
    ['Environment', environment],
    ['Issued', <Time at={createdAt} />],
    [
      'Endpoint',
      <>
        <MaybeLink href={call.link('endpoints', `/${id}`)}>
          {endpoint === null ? 'Open or add it' : 'Open it'}
        </MaybeLink>{' '}
        {endpoint === null ? null : <StateBadge state={endpoint.state.kind} />}{' '}
        {isFailing ? <StateBadge state="failing" tone="bad" /> : null}
      </>,
    ],
    [
      'Applications',
      <MaybeLink href={call.link('applications', '', { key: id })}>Applications of this key</MaybeLink>,
    ],
    [
      'Deliveries',
      <MaybeLink href={call.link('deliveries', '', { key: id })}>Deliveries to this key</MaybeLink>,
    ],
    [
      'Requests',
      <MaybeLink href={call.link('requests', '', { key: id, errors: 'yes' })}>
        Refused requests of this key
      </MaybeLink>,
    ],
  ] as const;
}
