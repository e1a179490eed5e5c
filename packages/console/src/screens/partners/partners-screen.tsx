import type { KeyView, Page, Partner, PartnerId } from '@partner-hiring/core';
import { listKeysInScope } from '../../gate/keys-in-scope.js';
import type { Screen, ScreenCall } from '../../http/screen.js';
import { LABELS } from '../../labels.js';
import type { Column } from '../../view/data-table.js';
import { TextField } from '../../view/forms.js';
import { Id } from '../../view/ids.js';
import { Section, Time } from '../../view/parts.js';
import { KeyLink } from '../parts/badges.js';
import { defineAct, goTo, RefusedAct, withoutPage } from '../parts/define-act.js';
import { defineList } from '../parts/define-list.js';
import { nameOf } from '../parts/names.js';
import { secretPage } from '../parts/secret-page.js';
import { lastUseOf } from './last-use.js';
import { onboard, showOnboarding } from './onboard-page.js';
import { partnerActs } from './partner-acts.js';
import { showPartner } from './partner-page.js';

function overrideOf(reason: string | null): { readonly reason: string } | undefined {
  return reason === null ? undefined : { reason };
}

/** Issues a key to the partner of the page, and shows its secrets once. */
export const issueKeyAct = defineAct({
  find: ({ param, form }) => ({
    partnerId: param('id') as PartnerId,
    environment: form.text('environment') === 'sandbox' ? ('sandbox' as const) : ('production' as const),
    endpointUrl: form.text('endpointUrl') ?? undefined,
    override: overrideOf(form.text('override')),
  }),
  once: ({ environment }) => ({
    code: 'KEY_EXISTS',
    title: 'The key was issued already',
    text: `The partner has a ${environment} key, so nothing was done. Its secret was shown only once. If nobody saved it, rotate it on the page of the key.`,
  }),
  run: async (input, call) => {
    const back = call.at(`/partners/${encodeURIComponent(input.partnerId)}`);
    const { key, secret, endpoint } = await call.gate.call('keys.issue', input);
    return secretPage({
      title: 'Key issued',
      text: `The partner calls the API with the secret as its API key. Give it ${endpoint === null ? 'to the partner' : 'and the signing secret to the partner'} in a safe way, such as a password manager.`,
      facts: [[LABELS.one.partnerKey, (await nameOf.key(call.gate, key.id)) ?? key.environment]],
      secrets: [
        [LABELS.key.apiKey, secret],
        ...(endpoint === null ? [] : [[LABELS.endpoint.signingSecret, endpoint.signingSecret] as const]),
      ],
      crumbs: [
        { label: LABELS.all.partnersAndKeys, href: call.at('/partners') },
        { label: LABELS.one.partner, href: back },
      ],
      next: { label: 'Open the key', href: call.link('keys', `/${key.id}`) ?? back },
    });
  },
});

const addPartner = defineAct({
  back: (call) => call.at('/partners'),
  find: ({ form }) => {
    const name = form.text('name');
    if (name === null) throw new RefusedAct('enter-partner-name');
    return { name };
  },
  run: async (input, { gate, at }) =>
    goTo(at(`/partners/${(await gate.call('partners.create', input)).id}`), 'partner-added'),
});

const showPartners = defineList<Partner>({
  title: LABELS.all.partnersAndKeys,
  path: '/partners',
  fields: [],
  read: async (call, fields) => {
    const { gate } = call;
    const page = await listPartners(call, fields.text('cursor'));
    const keys = await listKeysInScope(gate);
    return {
      ...page,
      caption: 'Partners, oldest first',
      empty:
        'There is no partner yet. A partner is an applicant-tracking system that calls the API with its keys.',
      columns: columnsOf(call, keys),
      after:
        gate.isForAllPartners && gate.may('partners:create') ? (
          <Section title={LABELS.partner.add}>
            {gate.may('keys:issue') ? (
              <p>
                <a href={call.at('/partners/new')}>Add a partner with keys, companies and endpoint</a>
              </p>
            ) : null}
            <form class="inline" method="post" action={call.at('/partners')}>
              <TextField name="name" label={LABELS.name} isRequired />
              <button type="submit">Add only the name</button>
            </form>
          </Section>
        ) : null,
    };
  },
});

/** Lists a page of partners, or those that the actor's rights cover. */
async function listPartners({ gate }: ScreenCall, cursor: string | null): Promise<Page<Partner>> {
  const { partnerIds } = gate.actor;
  if (partnerIds === 'all') {
    return gate.call('partners.list', cursor === null ? {} : { cursor });
  }
  const found = await Promise.all(partnerIds.map((id) => gate.call('partners.find', { id })));
  return { items: found.flatMap((partner) => partner ?? []), nextCursor: null };
}

function columnsOf(call: ScreenCall, keys: readonly KeyView[]): readonly Column<Partner>[] {
  const keysOf = (id: string) => keys.filter(({ key }) => key.partnerId === id);
  return [
    { header: LABELS.one.partner, cell: ({ id, name }) => <a href={call.at(`/partners/${id}`)}>{name}</a> },
    { header: LABELS.id, cell: ({ id }) => <Id value={id} /> },
    {
      header: LABELS.all.keys,
      cell: ({ id }) =>
        keysOf(id).length === 0
          ? '–'
          : keysOf(id).map((view) => (
              <span class="object">
                <KeyLink call={call} view={view} />
              </span>
            )),
    },
    { header: LABELS.lastUsedAt, cell: ({ id }) => <Time at={lastUseOf(keysOf(id))} /> },
    { header: LABELS.addedAt, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

/** The partners and their keys. */
export const partnersScreen: Screen = {
  name: 'partners',
  label: LABELS.all.partnersAndKeys,
  path: '/partners',
  rights: ['partners:read'],
  pages: { '/partners': showPartners, '/partners/new': showOnboarding, '/partners/:id': showPartner },
  actions: {
    '/partners': withoutPage(addPartner),
    '/partners/new': onboard,
    '/partners/:id/issue': issueKeyAct,
    ...partnerActs,
  },
};
