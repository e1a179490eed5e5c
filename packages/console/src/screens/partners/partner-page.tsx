import type { Endpoint, KeyId, KeyView, Partner, PartnerId } from '@partner-hiring/core';
import { sectionsOf } from '../../features/features.js';
import { type PageContent, pageBelow, type ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import { DataTable } from '../../view/data-table.js';
import { SelectField, TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { FactList, MaybeLink, Section, StateBadge, Time } from '../../view/parts.js';
import { EndpointWords } from '../endpoints/pause-words.js';
import { KeyLink } from '../parts/badges.js';
import { findPartner } from '../parts/find-by-path.js';
import { alertsFact, listFact } from '../parts/names.js';
import { ContactSection, contactFacts } from './contact-act.js';
import { HealthSection } from './health-section.js';
import { lastUseOf } from './last-use.js';
import { PartnerActsSection } from './partner-acts.js';
import { ResendSection } from './resend-act.js';

const ENVIRONMENTS = [
  ['production', 'Production'],
  ['sandbox', 'Sandbox'],
] as const;

/** A partner whose endpoint is paused or fails is not green. */
function stateOf({ disabledAt, removedAt }: Partner, endpoints: readonly Endpoint[]) {
  if (removedAt !== null) return <StateBadge state="removed" tone="bad" />;
  if (disabledAt !== null) return <StateBadge state="disabled" tone="warn" />;
  if (endpoints.some(({ state }) => state.kind === 'paused'))
    return <StateBadge state="active, but sending is paused" tone="warn" />;
  if (endpoints.some(({ health }) => health.firstFailureAt !== null))
    return <StateBadge state="active, but its endpoint fails" tone="bad" />;
  return <StateBadge state="active" tone="good" />;
}

/** One partner with its keys. */
export async function showPartner(call: ScreenCall): Promise<PageContent> {
  const { gate } = call;
  const id = call.param('id') as PartnerId;
  const partner = await findPartner(call);
  const { items: keys } = gate.may('keys:read')
    ? await gate.call('keys.list', { partnerId: id })
    : { items: [] };
  const endpoints = await findEndpoints(call, keys);
  const missing = ENVIRONMENTS.filter(([value]) => !keys.some(({ key }) => key.environment === value));
  const shown = await sectionsOf('partner', { call, partner });
  const body = (
    <>
      <Section title={LABELS.one.partner}>
        <FactList
          facts={[
            [LABELS.state, stateOf(partner, [...endpoints.values()])],
            [LABELS.addedAt, <Time at={partner.createdAt} />],
            ...contactFacts(call, partner),
            listFact(call, 'requests', { key: id }, 'Requests of this partner'),
            listFact(call, 'deliveries', { key: id }, 'Deliveries to this partner'),
            listFact(call, 'totals', { by: 'month', partner: id }, 'Totals of this partner'),
            listFact(call, 'audit', { kind: 'partner', id }, 'Acts on this partner'),
            alertsFact(call, id),
            [LABELS.id, <Id value={id} />],
          ]}
        />
      </Section>
      <HealthSection call={call} id={id} />
      <Section title={LABELS.all.keys}>
        <KeyTable call={call} keys={keys} endpoints={endpoints} />
      </Section>
      <ResendSection call={call} id={id} />
      <ContactSection call={call} partner={partner} />
      {shown.map(({ middle }) => middle)}
      <PartnerActsSection call={call} partner={partner} />
      {partner.disabledAt === null &&
      missing.length > 0 &&
      gate.may('keys:issue') &&
      gate.may('keys:read') ? (
        <Section title="Issue a key">
          <form method="post" action={call.at(`/partners/${id}/issue`)}>
            <div class="fields">
              <SelectField name="environment" label={LABELS.environment} options={missing} />
              <TextField
                name="endpointUrl"
                type="url"
                label="Webhook URL (optional)"
                hint="Where the partner receives events, such as https://ats.example/webhooks."
                maxLength={2000}
              />
              <TextField
                name="override"
                label="Reason to issue a production key without the required go-live items (optional)"
                hint="The page of the sandbox key has its go-live checklist. The audit keeps the reason."
              />
            </div>
            <p class="hint">You see the secret once, on the next page.</p>
            <p class="buttons">
              <button type="submit">Issue the key</button>
            </p>
          </form>
        </Section>
      ) : null}
    </>
  );
  return pageBelow({ label: LABELS.all.partnersAndKeys, href: call.at('/partners') }, partner.name, body);
}

async function findEndpoints(
  { gate }: ScreenCall,
  keys: readonly KeyView[],
): Promise<ReadonlyMap<KeyId, Endpoint>> {
  if (!gate.may('endpoints:read')) return new Map();
  const found = await Promise.all(keys.map(({ key }) => gate.call('endpoints.find', { keyId: key.id })));
  return new Map(
    found.flatMap((endpoint) => (endpoint === null ? [] : [[endpoint.keyId, endpoint] as const])),
  );
}

interface KeyTableProps {
  readonly call: ScreenCall;
  readonly keys: readonly KeyView[];
  readonly endpoints: ReadonlyMap<KeyId, Endpoint>;
}

function KeyTable({ call, keys, endpoints }: KeyTableProps) {
  return (
    <DataTable
      caption="The keys of this partner, one for each environment"
      empty="This partner has no key, so it cannot call the API."
      rows={keys}
      columns={[
        { header: LABELS.one.key, cell: (view) => <KeyLink call={call} view={view} /> },
        {
          header: 'Working secrets',
          cell: ({ secrets }) => {
            const working = secrets.filter(({ state }) => state === 'current' || state === 'replaced');
            return working.length === 0
              ? 'none'
              : working.map(({ prefix, lastFour }) => `${prefix}…${lastFour}`).join(', ');
          },
        },
        {
          header: 'Access',
          cell: ({ key }) => {
            const page = call.link('keys', `/${key.id}`);
            return (
              <MaybeLink href={page === null ? null : `${page}#access`}>Companies that it sees</MaybeLink>
            );
          },
        },
        { header: LABELS.lastUsedAt, cell: (view) => <Time at={lastUseOf([view])} /> },
        {
          header: LABELS.one.endpoint,
          cell: ({ key }) => {
            const endpoint = endpoints.get(key.id);
            if (endpoint === undefined) return 'none';
            return (
              <>
                <MaybeLink href={call.link('endpoints', `/${key.id}`)}>Endpoint</MaybeLink>{' '}
                <EndpointWords gate={call.gate} endpoint={endpoint} />
              </>
            );
          },
        },
        { header: LABELS.issuedAt, cell: ({ key }) => <Time at={key.createdAt} /> },
      ]}
    />
  );
}
